/* The sine against MPFR, and every weight of the lanczos4 tables that is built on it. */
#include "cmocka_vqx.h"

#include "vif/prescale.h"
#include "vif/sine.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

static double mpfr_sine(double x)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    mpfr_sin(value, value, MPFR_RNDN); /* correctly rounded, whatever cancels inside */
    const double rounded = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return rounded;
}

static void check(double x)
{
    const double got = vif_sine(x), expected = mpfr_sine(x);
    if (got != expected)
        fail_msg("sine(%a) = %a, expected %a", x, got, expected);
}

static void random_arguments(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < 100000; i++)
        check((double)rand() / RAND_MAX * 16 + (double)rand() * 0x1p-60);
    for (int i = 0; i < 20000; i++)
        check(ldexp(1 + (double)rand() / RAND_MAX, -(rand() % 200)));
}

static void multiples_of_pi(void **state)
{
    (void)state;
    check(0);
    for (int quarter = 1; quarter <= 20; quarter++) {
        double x = M_PI / 4 * quarter;
        for (int i = 0; i < 20; i++)
            x = nextafter(x, 0);
        for (int i = 0; i < 40; i++, x = nextafter(x, 100))
            check(x);
    }
}

/* A weight from correctly rounded sines; what the specification's expression then gives. */
static float expected_weight(float distance)
{
    const double t = distance;
    if (distance == 0.0f)
        return 1.0f;
    if (distance >= 4.0f)
        return 0.0f;
    return (float)(4 * mpfr_sine(M_PI * t) * mpfr_sine(M_PI * t / 4) / (M_PI * M_PI * t * t));
}

static void lanczos_tables(void **state)
{
    (void)state;
    static const int sizes[][2] = {
        {1920, 960}, {1280, 1920}, {576, 409}, {1000, 4000}, {3840, 384}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        VifAxis axis;
        const float ratio = (float)sizes[n][0] / (float)sizes[n][1];
        assert_int_equal(
            vif_axis_init(&axis, VQX_PRESCALE_LANCZOS4, sizes[n][0], sizes[n][1], NULL), 0);
        for (int i = 0; i < axis.size; i++) {
            const float position = (float)((i + 0.5) * (double)ratio - 0.5),
                        d = position - floorf(position);
            for (int k = 0; k < 9; k++) {
                const float expected = expected_weight(fabsf((float)(k - 4) - d));
                assert_memory_equal(&axis.weight[i * 9 + k], &expected, sizeof expected);
            }
        }
        vif_axis_free(&axis);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_arguments),
        cmocka_unit_test(multiples_of_pi),
        cmocka_unit_test(lanczos_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
