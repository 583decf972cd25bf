/*
 * The cost of the statistic's two forms on this processor: both over the same pixels, turn by turn in one run, medians and
 * their ratio.
 */
#include <stdint.h>
static uint64_t replays;
#define VIF_COUNT_REPLAY (replays++)

#include "arith/dialect_c.h"

#include "arith/fp64_free.h"
#include "vif/constants.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { PIXELS = 1 << 16, ROUNDS = 41 };

typedef struct Pixel {
    float mu1, mu2, xx, yy, xy;
} Pixel;

static uint32_t random_state = 1;

static double uniform(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state * 0x1p-32;
}

/* Variances from 0.01 to 2000, most of what a picture holds; the distorted one is a gain and noise apart. */
static void fill(Pixel *pixel)
{
    for (int i = 0; i < PIXELS; i++) {
        const double mu1 = 200 * uniform() - 100, mu2 = mu1 + uniform();
        const double variance = 0.01 * pow(2e5, uniform()), gain = 0.5 + 0.5 * uniform(),
                     noise = 4 * uniform();
        pixel[i] = (Pixel){(float)mu1, (float)mu2, (float)(mu1 * mu1 + variance),
                           (float)(mu2 * mu2 + gain * gain * variance + noise),
                           (float)(mu1 * mu2 + gain * variance)};
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_native(const Pixel *pixel, const VifConstants *constants, double nsq, float *sum)
{
    const VifConstants k = *constants;
    const double start = now();
    for (int i = 0; i < PIXELS; i++) {
        const Pixel p = pixel[i];
        const VifTerms t = vif_statistic_f64(p.mu1, p.mu2, p.xx, p.yy, p.xy, k, nsq);
        *sum += t.num + t.den;
    }
    return (now() - start) / PIXELS;
}

static double time_pair(const Pixel *pixel, const VifConstants *constants, float *sum)
{
    const VifConstants k = *constants;
    const double start = now();
    for (int i = 0; i < PIXELS; i++) {
        const Pixel p = pixel[i];
        const VifTerms t = vif_statistic_pair(p.mu1, p.mu2, p.xx, p.yy, p.xy, k);
        *sum += t.num + t.den;
    }
    return (now() - start) / PIXELS;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static int measure(const Pixel *pixel, double nsq)
{
    double native = INFINITY, pair = INFINITY;
    float native_sum = 0, pair_sum = 0;
    VifConstants k;
    vif_constants_init(&k, nsq, 100.0);
    replays = 0;
    for (int i = 0; i < ROUNDS; i++) {
        native = smaller(native, time_native(pixel, &k, nsq, &native_sum));
        pair = smaller(pair, time_pair(pixel, &k, &pair_sum));
    }
    printf(
        "nsq %-5g native %6.2f ns a pixel, fp64-free %6.2f ns, ratio %.2f, replays %.2e a pixel\n",
        nsq, native, pair, pair / native, (double)replays / ROUNDS / PIXELS);
    if (native_sum != pair_sum)
        printf("the forms differ: %a and %a\n", (double)native_sum, (double)pair_sum);
    return native_sum != pair_sum;
}

int main(void)
{
    static Pixel pixel[PIXELS];
    fill(pixel);
#ifdef VQX_HAS_FMA
    puts("residuals by fused multiply-add");
#else
    puts("residuals by exact products");
#endif
    return measure(pixel, 2) | measure(pixel, 1.5) | measure(pixel, 4.7) | measure(pixel, 0);
}
