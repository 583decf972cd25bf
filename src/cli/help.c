/* `vqx help`. */
#include "cli/command.h"

#include "vqx.h"

#include <stdio.h>

static const char flags[] =
    "Input (any file FFmpeg opens, Y4M, or raw YUV; - is standard input):\n"
    "  -r, --reference FILE       the reference, when not given as the first argument\n"
    "  -d, --distorted FILE       the distorted video, when not given as the second\n"
    "  -w, --width N              both videos are raw YUV of this width,\n"
    "  -h, --height N             this height,\n"
    "  -p, --pixel_format F       this chroma: 420, 422, 444, or 400 for luma alone,\n"
    "  -b, --bitdepth N           and this depth, 8 to 16 (above 8: 16-bit little-endian words)\n"
    "      --frame_skip_ref N     pass over the first N frames of the reference\n"
    "      --frame_skip_dist N    pass over the first N frames of the distorted video\n"
    "      --frame_cnt N          look at N pairs at most\n"
    "      --subsample N          score only pairs 0, N, 2N, ...\n"
    "      --shortest             accept videos of different lengths\n"
    "\n"
    "What is scored:\n"
    "      --feature float_vif[=option=value:...]\n"
    "                             a configuration of float_vif; may be given several times\n"
    "  -n, --no_prediction        accepted; nothing is predicted with or without it\n"
    "\n"
    "Report:\n"
    "  -o, --output FILE          write a report; - is standard output\n"
    "      --xml --json --csv --sub\n"
    "                             its format; without one, what FILE's suffix says, else XML\n"
    "      --precision P          max (the default: every double can be read back), 1 to 17\n"
    "                             significant digits, or legacy (libvmaf's six decimals)\n"
    "  -q, --quiet                no progress, no notes, and with -o no summary\n"
    "\n"
    "What computes (the scores are the same bits on all):\n"
    "      --backend B            auto (the default), cpu, or another that 'vqx devices' lists\n"
    "      --device D             a device of it, as 'vqx devices' lists them\n"
    "      --threads N            threads of the cpu backend; 0 and the default: one a core\n"
    "      --read_threads N       threads that read each file, where it allows several;\n"
    "                             0 and the default: 1 with the cpu backend, 4 with others\n"
    "      --cpumask BITS         instruction sets to leave unused, libvmaf's bits; -1: all\n"
    "      --gpumask BITS         not 0: use no GPU\n"
    "      --modules FOLDER       where the modules of backends and of FFmpeg are\n"
    "\n"
    "Measuring ('vqx bench', which takes the flags of input and of what computes too):\n"
    "      --size WxH             frames of this size are made, unless files are given; 3840x2160\n"
    "      --depth N              and of this depth; 8\n"
    "      --seconds S            for each figure; 5\n"
    "      --form F               native or fp64-free: this form of the arithmetic\n"
    "      --json FILE            the figures also there\n"
    "\n"
    "Of parity alone:\n"
    "      --self-test            makes its clips; takes --backend, --device, --modules, --quiet\n"
    "      --stages               also every intermediate stage: where a difference begins\n"
    "      --case TEXT            only the self-test's cases whose names hold the text\n"
    "      --require FILE         fail if a backend on this list was not run\n"
    "      --json FILE            write the table to a file; 'vqx devices --json FILE' its list\n"
    "\n"
    "  -v, --version              print the version\n"
    "      --help                 print this\n"
    "\n"
    "Options of float_vif (name or alias, default, range):\n"
    "  vif_enhn_gain_limit, egl   100, 1 to 100        vif_scale1_min_val, s1miv  0, 0 to 1\n"
    "  vif_kernelscale, ks        1, one of a list     vif_scale2_min_val, s2miv  0, 0 to 1\n"
    "  vif_prescale, ps           1, 0.1 to 4          vif_scale3_min_val, s3miv  0, 0 to 1\n"
    "  vif_prescale_method, pm    nearest, bilinear,   vif_sigma_nsq, snsq        2, 0 to 5\n"
    "                             bicubic, lanczos4    vif_skip_scale0, ssclz     false\n"
    "  debug                      false: also vif, vif_num, vif_den and each scale's sums\n"
    "\n"
    "Exit status: 0 done; 1 a comparison found a difference; 2 usage; 3 an input cannot be "
    "scored;\n"
    "  4 an input ended early or the frame counts differ (the frames before are reported);\n"
    "  5 backend; 6 output; 7 memory; 128 + the signal when interrupted (reported likewise).\n";

int command_help(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fputs("vqx: help takes nothing\n", stderr);
        return EXIT_USAGE;
    }
    printf("vqx %s: libvmaf's float_vif, the same bits on every device\n\n", vqx_version());
    for (int i = 0; i < command_count; i++) {
        char usage[80];
        snprintf(usage, sizeof usage, "vqx %s %s", command_table[i].name,
                 command_table[i].arguments);
        printf("  %-34s %s\n", usage, command_table[i].summary);
    }
    printf("\n'score' may be left out.\n\n%s", flags);
    return command_finish_output(EXIT_DONE);
}
