/* The table of float_vif's options: one row each, for parsing, checking and naming. */
#ifndef VQX_VIF_OPTIONS_H
#define VQX_VIF_OPTIONS_H

#include "vqx.h"

typedef enum VifOptionKind {
    VIF_OPTION_NUMBER,
    VIF_OPTION_BOOLEAN,
    VIF_OPTION_METHOD
} VifOptionKind;

typedef struct VifOption {
    const char *name, *alias; /* alias NULL: not part of an output's name (debug) */
    VifOptionKind kind;
    size_t offset; /* in VqxVifOptions: double for a number, int32_t for the others */
    double standard, least, most;
} VifOption;

enum { VIF_OPTION_COUNT = 10 };
extern const VifOption vif_option[VIF_OPTION_COUNT]; /* in alphabetical order of the name */

/* The names of the prescale methods, by VqxPrescaleMethod; NULL past the last. */
const char *vif_prescale_method_name(int method);

double vif_option_number(const VqxVifOptions *options, const VifOption *option);

/* Every option within its range, and the kernel scale one of the list. */
int vif_options_check(const VqxVifOptions *options, VqxError *error);

#endif
