/* float_vif's options: the table, text to values, and the check of ranges (specification, sections
 * 3 and 10). */
#include "vif/options.h"

#include "util/error.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION(member) offsetof(VqxVifOptions, member)

const VifOption vif_option[VIF_OPTION_COUNT] = {
    {"debug", NULL, VIF_OPTION_BOOLEAN, OPTION(debug), 0, 0, 1},
    {"vif_enhn_gain_limit", "egl", VIF_OPTION_NUMBER, OPTION(enhn_gain_limit), 100, 1, 100},
    {"vif_kernelscale", "ks", VIF_OPTION_NUMBER, OPTION(kernelscale), 1, 0.1, 4},
    {"vif_prescale", "ps", VIF_OPTION_NUMBER, OPTION(prescale), 1, 0.1, 4},
    {"vif_prescale_method", "pm", VIF_OPTION_METHOD, OPTION(prescale_method), VQX_PRESCALE_NEAREST,
     VQX_PRESCALE_NEAREST, VQX_PRESCALE_LANCZOS4},
    {"vif_scale1_min_val", "s1miv", VIF_OPTION_NUMBER, OPTION(scale1_min_val), 0, 0, 1},
    {"vif_scale2_min_val", "s2miv", VIF_OPTION_NUMBER, OPTION(scale2_min_val), 0, 0, 1},
    {"vif_scale3_min_val", "s3miv", VIF_OPTION_NUMBER, OPTION(scale3_min_val), 0, 0, 1},
    {"vif_sigma_nsq", "snsq", VIF_OPTION_NUMBER, OPTION(sigma_nsq), 2, 0, 5},
    {"vif_skip_scale0", "ssclz", VIF_OPTION_BOOLEAN, OPTION(skip_scale0), 0, 0, 1},
};

static const double kernelscales[] = {
    1.0,       1.0 / 2.0, 3.0 / 2.0,  2.0,        2.0 / 3.0, 24.0 / 10.0, 360.0 / 97.0,
    4.0 / 3.0, 3.5 / 3.0, 3.75 / 3.0, 4.25 / 3.0, 5.0 / 3.0, 3.0,         1.0 / 2.25,
    1.4746,    1.54,      1.6,        1.06667,    0.711111,  0.740740,    1.111111,
};
enum { KERNELSCALE_COUNT = sizeof kernelscales / sizeof kernelscales[0] };

static const char *const method_names[] = {"nearest", "bilinear", "bicubic", "lanczos4"};
enum { METHOD_COUNT = sizeof method_names / sizeof method_names[0] };

const double *vqx_vif_kernelscales(size_t *count)
{
    *count = KERNELSCALE_COUNT;
    return kernelscales;
}

const char *vif_prescale_method_name(int method)
{
    return method >= 0 && method < METHOD_COUNT ? method_names[method] : NULL;
}

static void set_number(VqxVifOptions *options, const VifOption *option, double value)
{
    char *at = (char *)options + option->offset;
    if (option->kind == VIF_OPTION_NUMBER) {
        memcpy(at, &value, sizeof value);
    } else {
        const int32_t integer = (int32_t)value;
        memcpy(at, &integer, sizeof integer);
    }
}

double vif_option_number(const VqxVifOptions *options, const VifOption *option)
{
    const char *at = (const char *)options + option->offset;
    double number;
    int32_t integer;
    if (option->kind == VIF_OPTION_NUMBER) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    memcpy(&integer, at, sizeof integer);
    return integer;
}

void vqx_vif_default_options(VqxVifOptions *options)
{
    memset(options, 0, sizeof *options);
    for (int i = 0; i < VIF_OPTION_COUNT; i++)
        set_number(options, &vif_option[i], vif_option[i].standard);
}

/* The reference compares in f32, strictly. */
static int kernelscale_is_listed(double kernelscale)
{
    for (int i = 0; i < KERNELSCALE_COUNT; i++)
        if (fabsf((float)kernelscale - (float)kernelscales[i]) < 1e-3f)
            return 1;
    return 0;
}

static int refuse_kernelscale(double kernelscale, VqxError *error)
{
    char list[300];
    size_t used = 0;
    for (int i = 0; i < KERNELSCALE_COUNT; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%g", i ? ", " : "",
                                 kernelscales[i]);
    return vqx_fail(error, VQX_ERROR_OPTION,
                    "vif_kernelscale=%g: must be within 0.001 of one of %s", kernelscale, list);
}

static int check_option(const VqxVifOptions *options, const VifOption *option, VqxError *error)
{
    const double value = vif_option_number(options, option);
    if (value >= option->least && value <= option->most) /* false for NaN */
        return 0;
    if (option->kind == VIF_OPTION_METHOD)
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "%s=%g: must be 0 (nearest), 1 (bilinear), 2 (bicubic) or 3 (lanczos4)",
                        option->name, value);
    return vqx_fail(error, VQX_ERROR_OPTION, "%s=%g: must be from %g to %g", option->name, value,
                    option->least, option->most);
}

int vif_options_check(const VqxVifOptions *options, VqxError *error)
{
    for (int i = 0; i < VIF_OPTION_COUNT; i++) {
        const int status = check_option(options, &vif_option[i], error);
        if (status)
            return status;
    }
    if (!kernelscale_is_listed(options->kernelscale))
        return refuse_kernelscale(options->kernelscale, error);
    return 0;
}

static const VifOption *find_option(const char *name, size_t length)
{
    for (int i = 0; i < VIF_OPTION_COUNT; i++) {
        const char *names[] = {vif_option[i].name, vif_option[i].alias};
        for (int k = 0; k < 2; k++)
            if (names[k] && strlen(names[k]) == length && !memcmp(names[k], name, length))
                return &vif_option[i];
    }
    return NULL;
}

/* Text to number in the C locale, whatever the program has set; the whole text must be a number, else -1. */
static int parse_number(const char *text, double *value)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return VQX_ERROR_MEMORY;
    const locale_t before = uselocale(c_locale);
    char *end, rounded[32];
    double number = strtod(text, &end);
    const int whole = end != text && *end == '\0' && text[strspn(text, " \t\n\v\f\r")] == text[0];
    if (whole) { /* six significant digits, as libvmaf keeps them */
        snprintf(rounded, sizeof rounded, "%g", number);
        number = strtod(rounded, NULL);
    }
    uselocale(before);
    freelocale(c_locale);
    *value = number;
    return whole ? 0 : -1;
}

/* 0, -1 for a value that is none, or VQX_ERROR_MEMORY. */
static int parse_value(const VifOption *option, const char *text, double *value)
{
    switch (option->kind) {
    case VIF_OPTION_NUMBER:
        return parse_number(text, value);
    case VIF_OPTION_BOOLEAN:
        *value = !strcmp(text, "true");
        return *value != 0 || !strcmp(text, "false") ? 0 : -1;
    case VIF_OPTION_METHOD:
        for (int i = 0; i < METHOD_COUNT; i++) {
            *value = i;
            if (!strcmp(text, method_names[i]))
                return 0;
        }
    }
    return -1;
}

static int refuse_value(const VifOption *option, const char *text, VqxError *error)
{
    switch (option->kind) {
    case VIF_OPTION_BOOLEAN:
        return vqx_fail(error, VQX_ERROR_OPTION, "%s=%s: must be true or false", option->name,
                        text);
    case VIF_OPTION_METHOD:
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "%s=%s: must be nearest, bilinear, bicubic or lanczos4", option->name,
                        text);
    default:
        return vqx_fail(error, VQX_ERROR_OPTION, "%s=%s: must be a number from %g to %g",
                        option->name, text, option->least, option->most);
    }
}

/* One "name=value"; the text is the parser's own copy. */
static int parse_item(VqxVifOptions *options, char *item, VqxError *error)
{
    char *equals = strchr(item, '=');
    const size_t length = equals ? (size_t)(equals - item) : strlen(item);
    const VifOption *option = find_option(item, length);
    if (!option) {
        char list[400];
        size_t used = 0;
        for (int i = 0; i < VIF_OPTION_COUNT; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s%s%s%s", i ? ", " : "",
                                     vif_option[i].name, vif_option[i].alias ? " (" : "",
                                     vif_option[i].alias ? vif_option[i].alias : "",
                                     vif_option[i].alias ? ")" : "");
        return vqx_fail(error, VQX_ERROR_OPTION, "float_vif has no option '%.*s'; it has %s",
                        (int)(length < 60 ? length : 60), item, list);
    }
    if (!equals)
        return vqx_fail(error, VQX_ERROR_OPTION, "option %s needs a value: %s=VALUE", option->name,
                        option->name);
    double value;
    const int status = parse_value(option, equals + 1, &value);
    if (status == VQX_ERROR_MEMORY)
        return vqx_fail(error, status, "out of memory");
    if (status)
        return refuse_value(option, equals + 1, error);
    set_number(options, option, value);
    return check_option(options, option, error);
}

int vqx_vif_parse_options(VqxVifOptions *options, const char *text, VqxError *error)
{
    if (!options || !text)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "options and text must not be NULL");
    VqxVifOptions parsed = *options;
    char *copy = strdup(text);
    if (!copy)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    int status = 0;
    char *rest = copy;
    while (!status && rest && *copy) {
        char *item = strsep(&rest, ":");
        status = parse_item(&parsed, item, error);
    }
    free(copy);
    if (!status)
        status = vif_options_check(&parsed, error);
    if (!status)
        *options = parsed;
    return status;
}
