/*
 * How fast a backend computes frames of one size, through the public API: frames that are in the device's memory already,
 * frames in the buffers that vqx_frame_acquire gives, one frame at a time of each; and what the device can do at most,
 * measured in the same run.
 */
#ifndef VQX_CLI_FIGURES_H
#define VQX_CLI_FIGURES_H

#include "backend/backend.h"
#include "vqx.h"

typedef struct Figure {
    const char *key, *label;
    double seconds; /* a frame */
    double arithmetic,
        copy; /* shares of the peaks; 0: the peak is not known, or nothing is copied */
} Figure;

typedef struct FiguresRequest {
    unsigned width, height, depth[2];
    double seconds; /* for each figure */
} FiguresRequest;

typedef struct Figures {
    char backend[16], device[128], driver[128], detail[256];
    double open, configure, allocate; /* seconds: of vqx_open, of vqx_configure, of all buffers */
    unsigned buffers;
    size_t frame_bytes;
    double operations; /* of a frame */
    VqxPeaks peaks;
    Figure figure[8];
    size_t count;
} Figures;

/* Measures. 0 or a status. */
int figures_measure(Figures *figures, const FiguresRequest *request, const VqxSettings *settings,
                    VqxError *error);

/* Adds a figure measured elsewhere, with the shares it has of the peaks. `copied`: its frames are in host memory. */
void figures_add(Figures *figures, const char *key, const char *label, double seconds, int copied);

#endif
