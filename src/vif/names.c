/* The names of a configuration's outputs (specification, section 10). */
#include "vif/names.h"

#include "vif/options.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

int vif_output_count(const VqxVifOptions *options)
{
    return options->debug ? VIF_DEBUG_OUTPUTS : VIF_OUTPUTS;
}

static size_t append_option(char *at, size_t room, const VqxVifOptions *options,
                            const VifOption *option)
{
    const double value = vif_option_number(options, option);
    if (!option->alias || value == option->standard)
        return 0;
    int used = 0;
    switch (option->kind) {
    case VIF_OPTION_NUMBER:
        used = snprintf(at, room, "_%s_%g", option->alias, value);
        break;
    case VIF_OPTION_BOOLEAN:
        used = snprintf(at, room, "_%s", option->alias);
        break;
    case VIF_OPTION_METHOD:
        used = snprintf(at, room, "_%s_%s", option->alias, vif_prescale_method_name((int)value));
        break;
    }
    return (size_t)used;
}

void vif_output_name(char name[VIF_NAME_SIZE], const VqxVifOptions *options, int output)
{
    static const char *const base[VIF_DEBUG_OUTPUTS] = {
        "vif_scale0",     "vif_scale1",     "vif_scale2",     "vif_scale3",     "vif",
        "vif_num",        "vif_den",        "vif_num_scale0", "vif_den_scale0", "vif_num_scale1",
        "vif_den_scale1", "vif_num_scale2", "vif_den_scale2", "vif_num_scale3", "vif_den_scale3",
    };
    /* A number's decimal point must not depend on the program's locale. */
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
    size_t used = (size_t)snprintf(name, VIF_NAME_SIZE, "%s", base[output]);
    for (int i = 0; i < VIF_OPTION_COUNT; i++)
        used += append_option(name + used, VIF_NAME_SIZE - used, options, &vif_option[i]);
    if (c_locale != (locale_t)0) {
        uselocale(before);
        freelocale(c_locale);
    }
}
