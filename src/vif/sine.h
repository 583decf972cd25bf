/* A sine that is the same on every machine. */
#ifndef VQX_VIF_SINE_H
#define VQX_VIF_SINE_H

/* The f64 nearest to sin(x), for 0 <= x <= 16: computed to about 2^-98, so a C library's last-bit
 * differences (it need not round correctly, and libraries differ) cannot reach a weight. */
double vif_sine(double x);

#endif
