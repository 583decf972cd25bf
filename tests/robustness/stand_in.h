/* What device_faults.c asks of the stand-in for a device's driver that it is linked with. */
#ifndef VQX_TESTS_STAND_IN_H
#define VQX_TESTS_STAND_IN_H

#include <stddef.h>

void stand_in_memory(size_t bytes); /* the device has no more than this from here on */
size_t stand_in_peak(void);         /* the most bytes that were taken on the device at a time */

/* Allocations that the backend keeps until the process ends, as it documents. */
long stand_in_kept(void);

#endif
