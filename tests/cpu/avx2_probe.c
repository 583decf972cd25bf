/* Runs an AVX2 instruction: dies of SIGILL where the processor has none. */
int main(void)
{
    int a = 1, b;
    __asm__ volatile("vmovd %1, %%xmm0\n\t"
                     "vpbroadcastd %%xmm0, %%ymm0\n\t"
                     "vpaddd %%ymm0, %%ymm0, %%ymm0\n\t"
                     "vmovd %%xmm0, %0\n\t"
                     "vzeroupper"
                     : "=r"(b)
                     : "r"(a)
                     : "xmm0");
    return b == 2 ? 0 : 1;
}
