/*
 * The arithmetic in device code, over far more operands than a CPU can try: log2a of every f32; the
 * denominator's expression for every s1 at five noise variances; the numerator's for --operands
 * random ones and ones built on ties. Each form that the kernels use against native f64 with the
 * compiler's own division on the same device, and a sample of that against the CPU.
 *
 *   arith_device [--operands N] [--seed N]
 *
 * Exits with 77 where there is no device.
 */
#define OPERAND_FN static __host__ __device__
#define OPERAND_API static __host__ __device__
#define SWEEP_FN static __host__ __device__ inline
#ifdef __CUDA_ARCH__
#define trailing_zeros(x) (__ffsll((long long)(x)) - 1)
#else
#define trailing_zeros(x) __builtin_ctzll(x)
#endif
#include "arith/dialect_cuda.h"

#include "arith/fp64_free.h"
#include "arith/ranged.h"
#include "host.h"
#include "operands.c"

/* As in vif/constants.h, which speaks the host's dialect. */
extern "C" void vif_constants_init(VifConstants *constants, double nsq, double gain_limit);

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static const double variances[] = {2, 1.5, 4.7, 0.333, 0};
enum { VARIANCES = 5, THREADS = 256, BLOCKS = 132 * 16, SAMPLE = 1 << 20 };

struct Tally {
    unsigned long long tried, wrong;
    float first[2]; /* operands of one that was wrong */
};

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    printf("%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static __device__ bool same(float a, float b)
{
    return vqx_bits(a) == vqx_bits(b) || (a != a && b != b);
}

static __device__ void count(Tally *tally, unsigned long long tried, unsigned long long wrong,
                             const float operands[2])
{
    atomicAdd(&tally->tried, tried);
    if (wrong && atomicAdd(&tally->wrong, wrong) == 0) {
        tally->first[0] = operands[0];
        tally->first[1] = operands[1];
    }
}

static __global__ void log2a_kernel(float *out, uint32_t first, uint32_t n)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = vif_log2a(vqx_from_bits(first + i));
}

/* Every `step`-th result of native f64 goes to the sample. */
static __global__ void den_kernel(Tally *tally, VifConstants k, VifNoise noise, float *s1_out,
                                  float *x_out, uint32_t step)
{
    const uint32_t end = 0x7f800000u; /* infinity, that excluded */
    unsigned long long tried = 0, wrong = 0;
    float failed[2] = {0, 0};
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
        const float s1 = vqx_from_bits(i), x = vif_den_f64(s1, noise.nsq);
        bool good = same(x, vif_den_pair(s1, k));
        if (!(s1 < k.nsq_least) && s1 < 0x1p34f) /* what vif_den_ranged is for */
            good = good && (same(x, vif_den_ranged(s1, noise)) || (noise.vanishes && s1 < 1e-10f));
        if (k.nsq_is_power)
            good = good && same(x, vif_den_power(s1, k));
        tried++;
        wrong += !good;
        failed[0] = good ? failed[0] : s1;
        if (i % step == 0 && i / step < SAMPLE) {
            s1_out[i / step] = s1;
            x_out[i / step] = x;
        }
    }
    count(tally, tried, wrong, failed);
}

static __global__ void num_kernel(Tally *tally, OperandKind kind, VifConstants k, double nsq,
                                  uint64_t seed, uint64_t first, uint64_t end, float *gs_out,
                                  float *sv_out, float *x_out)
{
    unsigned long long tried = 0, wrong = 0;
    float failed[2] = {0, 0};
    for (uint64_t n = first + blockIdx.x * blockDim.x + threadIdx.x; n < end;
         n += gridDim.x * blockDim.x) {
        const NumOperand o = operand_num(kind, nsq, seed, n);
        const float x = vif_num_f64(o.gs, o.sv, nsq);
        const bool good =
            same(x, vif_num_pair(o.gs, o.sv, k)) && same(x, vif_num_ranged(o.gs, o.sv, nsq));
        tried++;
        wrong += !good;
        failed[0] = good ? failed[0] : o.gs;
        failed[1] = good ? failed[1] : o.sv;
        if (n - first < SAMPLE) {
            gs_out[n - first] = o.gs;
            sv_out[n - first] = o.sv;
            x_out[n - first] = x;
        }
    }
    count(tally, tried, wrong, failed);
}

/* s12 / (s1 + eps) against the compiler's division, |s12| from 2^-60 on. */
static __global__ void gain_kernel(Tally *tally, uint64_t seed, uint64_t end)
{
    unsigned long long tried = 0, wrong = 0;
    float failed[2] = {0, 0};
    for (uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < end; n += gridDim.x * blockDim.x) {
        Draw draw_of = {seed, n};
        float s12 = log_uniform(&draw_of, 0x1p-60f, 0x1p21f);
        const float d = vqx_add(log_uniform(&draw_of, 1e-12f, 0x1p21f), VIF_EPS);
        if (n % 4 == 0) { /* near a quotient of few bits */
            const float q = vqx_from_bits(0x3f800000u + ((uint32_t)below(&draw_of, 1 << 12) << 11));
            s12 = beside(&draw_of, vqx_mul(q, d), 1);
        }
        s12 = n & 1 ? -s12 : s12;
        const bool good = same(vqx_div(s12, d), vif_gain_quotient(s12, d));
        tried++;
        wrong += !good;
        failed[0] = good ? failed[0] : s12;
        failed[1] = good ? failed[1] : d;
    }
    count(tally, tried, wrong, failed);
}

static int report(const char *what, Tally *device, uint64_t host_tried, uint64_t host_wrong)
{
    Tally t;
    need(cudaDeviceSynchronize(), what);
    need(cudaMemcpy(&t, device, sizeof t, cudaMemcpyDeviceToHost), what);
    need(cudaMemset(device, 0, sizeof t), what);
    printf("%-28s %14llu operands, %llu wrong; %llu against the CPU, %llu wrong\n", what, t.tried,
           t.wrong, (unsigned long long)host_tried, (unsigned long long)host_wrong);
    if (t.wrong)
        printf("  one of them: %a, %a\n", t.first[0], t.first[1]);
    fflush(stdout);
    return t.wrong || host_wrong;
}

static int run_log2a(void)
{
    const size_t part = (size_t)1 << 28;
    float *device, *host;
    uint64_t wrong = 0;
    const unsigned cores = std::thread::hardware_concurrency();
    need(cudaMalloc(&device, part * sizeof *device), "memory");
    need(cudaMallocHost(&host, part * sizeof *host), "memory");
    for (uint64_t first = 0; first < (uint64_t)1 << 32; first += part) {
        log2a_kernel<<<BLOCKS, THREADS>>>(device, (uint32_t)first, (uint32_t)part);
        need(cudaGetLastError(), "log2a");
        need(cudaMemcpy(host, device, part * sizeof *host, cudaMemcpyDeviceToHost), "log2a");
        wrong += host_check_log2a(host, (uint32_t)first, part, cores > 64 ? 64 : (int)cores);
    }
    printf("%-28s %14llu operands against the CPU, %llu wrong\n", "log2a", 1ull << 32,
           (unsigned long long)wrong);
    need(cudaFree(device), "memory");
    need(cudaFreeHost(host), "memory");
    return wrong != 0;
}

int main(int argc, char **argv)
{
    uint64_t operands = 1u << 28, seed = 1;
    int devices = 0, failed = 0;
    char what[80];
    Tally *tally;
    float *sample[3];
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--operands"))
            operands = (uint64_t)strtod(argv[i + 1], NULL);
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || !devices) {
        printf("no CUDA device here\n");
        return 77;
    }
    need(cudaMalloc(&tally, sizeof *tally), "memory");
    need(cudaMemset(tally, 0, sizeof *tally), "memory");
    for (int i = 0; i < 3; i++)
        need(cudaMallocHost(&sample[i], SAMPLE * sizeof **sample), "memory");

    failed |= run_log2a();
    gain_kernel<<<BLOCKS, THREADS>>>(tally, seed, operands / 10);
    failed |= report("s12 / (s1 + eps)", tally, 0, 0);
    for (int v = 0; v < VARIANCES; v++) {
        const double nsq = variances[v];
        VifConstants k;
        vif_constants_init(&k, nsq, 100.0);
        const VifNoise noise = {nsq, 1.0 / nsq, nsq < VIF_NSQ_VANISHES, 0};
        den_kernel<<<BLOCKS, THREADS>>>(tally, k, noise, sample[0], sample[1], 0x7f800000u / SAMPLE);
        need(cudaDeviceSynchronize(), "den");
        snprintf(what, sizeof what, "1 + s1 / %g", nsq);
        failed |= report(what, tally, SAMPLE, host_check_den(sample[1], sample[0], SAMPLE, nsq));
    }
    for (int kind = 0; kind < OPERAND_KINDS; kind++) {
        const uint64_t share = operands / OPERAND_KINDS / VARIANCES;
        uint64_t wrong = 0;
        for (int v = 0; v < VARIANCES; v++) {
            const double nsq = variances[v];
            VifConstants k;
            vif_constants_init(&k, nsq, 100.0);
            num_kernel<<<BLOCKS, THREADS>>>(tally, (OperandKind)kind, k, nsq, seed, share * v,
                                            share * (v + 1), sample[0], sample[1], sample[2]);
            need(cudaGetLastError(), "num");
            need(cudaDeviceSynchronize(), "num");
            wrong += host_check_num(sample[2], sample[0], sample[1],
                                    share < SAMPLE ? share : SAMPLE, nsq);
        }
        snprintf(what, sizeof what, "1 + gs / (sv + nsq), kind %d", kind);
        failed |= report(what, tally, VARIANCES * (share < SAMPLE ? share : SAMPLE), wrong);
    }
    return failed;
}
