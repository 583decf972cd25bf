/* Options, names, least sizes and taps. */
#include "cmocka_vqx.h"

#include "util/error.h"
#include "vif/names.h"
#include "vif/options.h"
#include "vif/plan.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static VqxVifOptions parsed(const char *text)
{
    VqxVifOptions options;
    VqxError error = {0};
    vqx_vif_default_options(&options);
    if (vqx_vif_parse_options(&options, text, &error))
        fail_msg("%s: %s", text, error.message);
    return options;
}

static void check_refused(const char *text, const char *part)
{
    VqxVifOptions options, before;
    VqxError error = {0};
    vqx_vif_default_options(&options);
    before = options;
    assert_int_equal(vqx_vif_parse_options(&options, text, &error), VQX_ERROR_OPTION);
    assert_int_equal(error.status, VQX_ERROR_OPTION);
    if (!strstr(error.message, part))
        fail_msg("'%s' is refused with '%s', which lacks '%s'", text, error.message, part);
    assert_memory_equal(&options, &before, sizeof before);
}

static void names_and_aliases_set_the_same(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"vif_enhn_gain_limit=1.2", "egl=1.2"},
        {"vif_kernelscale=1.5", "ks=1.5"},
        {"vif_prescale=0.5", "ps=0.5"},
        {"vif_prescale_method=bicubic", "pm=bicubic"},
        {"vif_scale1_min_val=0.25", "s1miv=.25"},
        {"vif_scale2_min_val=0.5", "s2miv=5e-1"},
        {"vif_scale3_min_val=0.75", "s3miv=0.75"},
        {"vif_sigma_nsq=4.7", "snsq=+4.7"},
        {"vif_skip_scale0=true", "ssclz=true"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        const VqxVifOptions a = parsed(pair[i][0]), b = parsed(pair[i][1]);
        assert_memory_equal(&a, &b, sizeof a);
    }
    const VqxVifOptions all =
        parsed("debug=true:egl=1:ks=3.711340:ps=4:pm=lanczos4:s1miv=1:snsq=0:ssclz=false");
    assert_int_equal(all.debug, 1);
    assert_true(all.kernelscale == 3.71134);
    assert_int_equal(all.prescale_method, VQX_PRESCALE_LANCZOS4);
    assert_true(all.sigma_nsq == 0);
}

static void bad_options_are_refused_with_what_would_do(void **state)
{
    (void)state;
    check_refused("vif_nsq=2", "no option 'vif_nsq'");
    check_refused("vif_nsq=2", "vif_sigma_nsq (snsq)");
    check_refused("=2", "no option ''");
    check_refused("snsq", "needs a value");
    check_refused("snsq=", "from 0 to 5");
    check_refused("snsq=abc", "from 0 to 5");
    check_refused("snsq=2x", "from 0 to 5");
    check_refused("snsq= 2", "from 0 to 5");
    check_refused("snsq=5.1", "from 0 to 5");
    check_refused("snsq=-1", "from 0 to 5");
    check_refused("snsq=nan", "from 0 to 5");
    check_refused("snsq=inf", "from 0 to 5");
    check_refused("egl=0.99", "from 1 to 100");
    check_refused("ks=1.1", "within 0.001 of one of 1, 0.5");
    check_refused("ks=0.05", "from 0.1 to 4");
    check_refused("ps=4.5", "from 0.1 to 4");
    check_refused("pm=lanczos", "nearest, bilinear, bicubic or lanczos4");
    check_refused("ssclz=1", "true or false");
    check_refused("debug=yes", "true or false");
    check_refused("snsq=2::egl=3", "no option ''");
    check_refused("snsq=2:egl=3:", "no option ''");
}

static void numbers_keep_six_digits(void **state)
{
    (void)state;
    assert_true(parsed("ks=1.66666675").kernelscale == 1.66667);
    assert_true(parsed("snsq=0.12345678").sigma_nsq == 0.123457);
    assert_true(parsed("snsq=1e-310").sigma_nsq == 1e-310);
}

static void names_follow_the_rule(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int output;
        const char *name;
    } rows[] = {
        {"", 0, "vif_scale0"},
        {"debug=true", 4, "vif"},
        {"debug=true", 14, "vif_den_scale3"},
        {"snsq=1.5:egl=1.2", 2, "vif_scale2_egl_1.2_snsq_1.5"},
        {"ssclz=true:debug=true", 5, "vif_num_ssclz"},
        {"pm=lanczos4:ps=0.71:ks=0.74074", 1, "vif_scale1_ks_0.74074_ps_0.71_pm_lanczos4"},
        {"s3miv=1:s1miv=0.5:s2miv=1e-05", 3, "vif_scale3_s1miv_0.5_s2miv_1e-05_s3miv_1"},
        {"snsq=2:egl=100:ks=1:ps=1:pm=nearest:ssclz=false", 0, "vif_scale0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[VIF_NAME_SIZE];
        const VqxVifOptions options = parsed(rows[i].options);
        vif_output_name(name, &options, rows[i].output);
        assert_string_equal(name, rows[i].name);
    }
}

static void longest_name_fits(void **state)
{
    (void)state;
    char name[VIF_NAME_SIZE];
    VqxVifOptions o = {.enhn_gain_limit = 1.00123456,
                       .kernelscale = 0.66612345,
                       .prescale = 1.23456789,
                       .prescale_method = VQX_PRESCALE_LANCZOS4,
                       .skip_scale0 = 1,
                       .scale1_min_val = 1.23456e-300,
                       .scale2_min_val = 1.23456e-300,
                       .scale3_min_val = 1.23456e-300,
                       .sigma_nsq = 1.23456e-300,
                       .debug = 1};
    vif_output_name(name, &o, 7);
    assert_string_equal(
        name, "vif_num_scale0_egl_1.00123_ks_0.666123_ps_1.23457_pm_lanczos4_s1miv_1.23456e-300_"
              "s2miv_1.23456e-300_s3miv_1.23456e-300_snsq_1.23456e-300_ssclz");
}

static void locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    int found = 0;
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        if (!setlocale(LC_ALL, locales[i]))
            continue;
        found++;
        char name[VIF_NAME_SIZE];
        const VqxVifOptions options = parsed("snsq=1.5");
        assert_true(options.sigma_nsq == 1.5);
        vif_output_name(name, &options, 0);
        assert_string_equal(name, "vif_scale0_snsq_1.5");
        check_refused("snsq=1,5", "from 0 to 5");
    }
    setlocale(LC_ALL, "C");
    if (!found) {
        print_message("no locale with a decimal comma is installed (package locales-all)\n");
        skip();
    }
}

static void least_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        unsigned least;
    } rows[] = {
        {"", 16},
        {"ks=1.0009", 24},
        {"ks=1.66667", 32},
        {"ks=3.71134", 56},
        {"ks=0.444444", 16},
        {"ps=2", 8},
        {"ps=0.5", 31},
        {"ps=4:pm=lanczos4:ks=0.5", 6},
        {"ssclz=true", 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const VqxVifOptions options = parsed(rows[i].options);
        unsigned least = 0;
        assert_int_equal(vqx_vif_least_size(&options, &least, NULL), 0);
        if (least != rows[i].least)
            fail_msg("'%s': least size %u, expected %u", rows[i].options, least, rows[i].least);
        VifPlan plan;
        VqxError error = {0};
        assert_int_equal(vif_plan_init(&plan, &options, (int)least, (int)least, &error), 0);
        vif_plan_free(&plan);
        assert_int_equal(vif_plan_init(&plan, &options, (int)least - 1, 100, &error),
                         VQX_ERROR_SIZE);
        assert_int_equal(vif_plan_init(&plan, &options, 100, (int)least - 1, &error),
                         VQX_ERROR_SIZE);
    }
}

/* The rule the least size comes from, checked against every filtering a plan asks for. */
static void every_reflection_stays_inside(void **state)
{
    (void)state;
    size_t count;
    const double *kernelscale = vqx_vif_kernelscales(&count);
    assert_int_equal(count, 21);
    for (size_t i = 0; i < count; i++) {
        VqxVifOptions options;
        vqx_vif_default_options(&options);
        options.kernelscale = kernelscale[i];
        for (int size = 1; size < 80; size++) {
            VifPlan plan;
            int inside = 1, w = size;
            for (int s = 0; s < VIF_SCALES; s++) {
                float tap[VIF_MAX_TAPS];
                const int radius = vif_taps(tap, options.kernelscale, s) / 2;
                inside = inside && (s == 0 || radius < w);
                w = s ? w / 2 : w;
                inside = inside && radius < w;
            }
            const int status = vif_plan_init(&plan, &options, size, 79, NULL);
            assert_int_equal(status, inside ? 0 : VQX_ERROR_SIZE);
            if (!status)
                vif_plan_free(&plan);
        }
    }
}

static void taps_are_symmetric_and_sum_to_one(void **state)
{
    (void)state;
    size_t count;
    const double *kernelscale = vqx_vif_kernelscales(&count);
    for (size_t i = 0; i < count; i++) {
        for (int s = 0; s < VIF_SCALES; s++) {
            float tap[VIF_MAX_TAPS];
            double sum = 0;
            const int width = vif_taps(tap, kernelscale[i], s);
            assert_true(width % 2 == 1 && width >= 3 && width <= VIF_MAX_TAPS);
            for (int k = 0; k < width; k++) {
                assert_memory_equal(&tap[k], &tap[width - 1 - k], sizeof tap[k]);
                sum += tap[k];
            }
            assert_true(fabs(sum - 1) < 1e-6);
        }
    }
    float tap[VIF_MAX_TAPS];
    static const int widths[VIF_SCALES] = {17, 9, 5, 3};
    for (int s = 0; s < VIF_SCALES; s++)
        assert_int_equal(vif_taps(tap, 1.0, s), widths[s]);
    assert_int_equal(vif_taps(tap, 360.0 / 97.0 + 0.0009, 0), VIF_MAX_TAPS);
}

static void constants_hold_every_form_of_nsq(void **state)
{
    (void)state;
    static const double nsq[] = {2, 1.5, 4.7, 0.333, 5, 1e-310, 4.9e-324, 1e-40, 0.1, 0, -0.0};
    for (size_t i = 0; i < sizeof nsq / sizeof nsq[0]; i++) {
        VqxVifOptions options;
        VifPlan plan;
        vqx_vif_default_options(&options);
        options.sigma_nsq = nsq[i];
        assert_int_equal(vif_plan_init(&plan, &options, 64, 64, NULL), 0);
        const VifConstants k = plan.constants;
        assert_true(plan.nsq == nsq[i] && !signbit(plan.nsq));
        assert_true(ldexp((double)k.nsq_significand, k.nsq_exponent) == nsq[i]);
        assert_true((double)k.nsq_least >= nsq[i]);
        assert_true(nsq[i] == 0 || (double)nextafterf(k.nsq_least, -1.0f) < nsq[i]);
        assert_true(nsq[i] < 1e-30 ||
                    fabs((double)k.nsq_hi + (double)k.nsq_lo - nsq[i]) <= nsq[i] * 0x1p-48);
        vif_plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_aliases_set_the_same),
        cmocka_unit_test(bad_options_are_refused_with_what_would_do),
        cmocka_unit_test(numbers_keep_six_digits),
        cmocka_unit_test(names_follow_the_rule),
        cmocka_unit_test(longest_name_fits),
        cmocka_unit_test(locale_changes_nothing),
        cmocka_unit_test(least_sizes),
        cmocka_unit_test(every_reflection_stays_inside),
        cmocka_unit_test(taps_are_symmetric_and_sum_to_one),
        cmocka_unit_test(constants_hold_every_form_of_nsq),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
