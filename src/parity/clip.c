/* Deterministic clips that stress the metric. */
#include "parity/clip.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pattern {
    char name[16];
    int number;
} Pattern;

static Pattern parse(const char *text)
{
    Pattern p = {"", 0};
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length < sizeof p.name)
        memcpy(p.name, text, length);
    p.number = colon ? atoi(colon + 1) : 0;
    return p;
}

static int is(Pattern p, const char *name)
{
    return !strcmp(p.name, name);
}

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

/* A triangle wave of that period, 0..65535. */
static int triangle(int64_t x, int period)
{
    int64_t m = x % period;
    m = m < 0 ? m + period : m;
    return (int)((m * 2 < period ? m * 2 : 2 * period - m * 2) * 65535 / period);
}

static uint16_t clip16(int64_t v)
{
    return (uint16_t)(v < 0 ? 0 : v > 65535 ? 65535 : v);
}

static uint64_t next_box(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state;
}

static int64_t boxes(int x, int y, int w, int h, int frame, uint64_t seed)
{
    int64_t v = 20000;
    uint64_t s = seed * 77 + 5;
    for (int b = 0; b < 12; b++) {
        const int left = (int)((next_box(&s) >> 33) % (uint64_t)w),
                  top = (int)((next_box(&s) >> 33) % (uint64_t)h);
        const int width = 1 + (int)((next_box(&s) >> 33) % (uint64_t)(w / 2 + 1));
        const int at = (x + frame * (b % 3)) % w;
        if (at >= left && at < left + width && y >= top && y < top + width / 2 + 1)
            v = (int64_t)(s >> 45 & 0xFFFF);
    }
    return v;
}

int clip_content(uint16_t *out, int w, int h, int frame, const char *pattern, uint64_t seed)
{
    static const char *const names[] = {"flat",    "noise", "dark",    "bright",
                                        "checker", "ramp",  "texture", "boxes"};
    const Pattern p = parse(pattern);
    int kind = 0;
    while (kind < 8 && !is(p, names[kind]))
        kind++;
    if (is(p, "noise")) /* the number is a seed of its own */
        seed += (uint64_t)p.number << 20;
    uint64_t rng = seed * 0x9E3779B97F4A7C15ull + (uint64_t)(frame + 1) * 0xBF58476D1CE4E5B9ull;
    next_random(&rng);
    next_random(&rng);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int64_t v = 0;
            switch (kind) {
            case 0:
                v = p.number * 256;
                break;
            case 1:
                v = next_random(&rng) & 0xFFFF;
                break;
            case 2:
                v = 2048 + (next_random(&rng) & 0x3FF) + triangle(x + frame, 37) / 64;
                break;
            case 3:
                v = 61000 + (next_random(&rng) & 0xFFF) +
                    triangle(x * 3 + y * 2 + frame * 5, 211) / 128;
                break;
            case 4:
                v = ((x / p.number + y / p.number + frame) & 1) ? 65535 : 0;
                break;
            case 5:
                v = (int64_t)(x + y + frame) * 65535 / (w + h + 16);
                break;
            case 6:
                v = triangle(x * 3 + y + frame * 4, 173) / 3 + triangle(x - 2 * y + frame, 61) / 4 +
                    triangle((int64_t)x * y / 16, 509) / 5 + (next_random(&rng) & 0xFFF);
                break;
            case 7:
                v = boxes(x, y, w, h, frame, seed);
                break;
            default:
                return -1;
            }
            out[(size_t)y * (size_t)w + (size_t)x] = clip16(v);
        }
    }
    return 0;
}

static int64_t box_blur(const uint16_t *ref, int w, int h, int x, int y)
{
    int64_t sum = 0;
    for (int b = -1; b <= 1; b++) {
        for (int a = -1; a <= 1; a++) {
            const int yy = y + b < 0 ? 0 : y + b >= h ? h - 1 : y + b;
            const int xx = x + a < 0 ? 0 : x + a >= w ? w - 1 : x + a;
            sum += ref[(size_t)yy * (size_t)w + (size_t)xx];
        }
    }
    return (sum + 4) / 9;
}

int clip_distort(const uint16_t *ref, uint16_t *out, int w, int h, int frame, const char *pattern,
                 uint64_t seed)
{
    static const char *const names[] = {"same",  "shift", "quant",  "blur",
                                        "noise", "gain",  "invert", "mid"};
    const Pattern p = parse(pattern);
    const int n = p.number;
    int kind = 0;
    while (kind < 8 && !is(p, names[kind]))
        kind++;
    uint64_t rng = seed * 0xD6E8FEB86659FD93ull + (uint64_t)(frame + 3) * 0x94D049BB133111EBull;
    next_random(&rng);
    next_random(&rng);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const size_t i = (size_t)y * (size_t)w + (size_t)x;
            int64_t v = ref[i];
            switch (kind) {
            case 0:
                break;
            case 1:
                v = ref[(size_t)y * (size_t)w + (size_t)((x + n) % w)];
                break;
            case 2:
                v = n > 1 ? v * n / 65536 * 65535 / (n - 1) : 0;
                break;
            case 3:
                v = box_blur(ref, w, h, x, y);
                break;
            case 4:
                v += ((int64_t)(next_random(&rng) & 0xFFFF) - 32768) * n / 256;
                break;
            case 5:
                v = 32768 + (v - 32768) * n / 16;
                break;
            case 6:
                v = 65535 - v;
                break;
            case 7:
                v = 32768;
                break;
            default:
                return -1;
            }
            out[i] = clip16(v);
        }
    }
    return 0;
}

void clip_pack(const uint16_t *samples, void *out, int n, int bits)
{
    uint8_t *bytes = out;
    uint16_t *words = out;
    for (int i = 0; i < n; i++) {
        if (bits == 8)
            bytes[i] = (uint8_t)(samples[i] >> 8);
        else
            words[i] = (uint16_t)(samples[i] >> (16 - bits));
    }
}
