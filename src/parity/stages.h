/*
 * A frame's stages, runner by runner against the plain C's: where a difference begins. Each runner's
 * backend keeps what its own kernels made (VqxBackend.stage) of a frame that takes the usual way
 * through submit and wait.
 */
#ifndef VQX_PARITY_STAGES_H
#define VQX_PARITY_STAGES_H

#include "parity/runners.h"

/* After a scale's VifStages come its row sums, num and den: planes of one column. */
enum { PARITY_ROW_NUM = VIF_STAGES, PARITY_ROW_DEN, PARITY_STAGES };

/* "decimated reference", "mu1", "den term", "num row sum", ... */
void parity_stage_name(char name[32], const VifPlan *plan, int scale, int stage);

/*
 * Computes a frame under each configuration and notes, of each runner that has not parted from the
 * reference yet, where it does. `digests` (may be NULL) goes on with those of the first
 * configuration's stages, as the reference has them. 0, or a status where the reference fails.
 */
int parity_stages_frame(ParityRunners *runners, const VqxVifOptions *options, size_t option_count,
                        const VqxPlane plane[2], uint64_t frame, const char *where,
                        uint32_t (*digests)[PARITY_STAGES], VqxError *error);

#endif
