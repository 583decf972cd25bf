/* The option text of a feature: whatever it says, it is refused with a sentence or gives options that the rest of the
 * library accepts and can name. */
#include "vif/options.h"
#include "fuzz/fuzz.h"
#include "vif/names.h"
#include "vif/plan.h"

#include <stdlib.h>
#include <string.h>

static void check_accepted(const VqxVifOptions *options)
{
    VqxError error = {0};
    VifPlan plan;
    unsigned least = 0;
    FUZZ_CHECK(vif_options_check(options, &error) == 0);
    FUZZ_CHECK(vqx_vif_least_size(options, &least, &error) == 0 && least > 0);
    for (int i = 0; i < vif_output_count(options); i++) {
        char name[VIF_NAME_SIZE];
        vif_output_name(name, options, i);
        FUZZ_CHECK(strlen(name) + 1 < VIF_NAME_SIZE);
    }
    FUZZ_CHECK(vif_plan_init(&plan, options, (int)least, (int)least, &error) == 0);
    vif_plan_free(&plan);
    if (least < 2)
        return;
    const int status = vif_plan_init(&plan, options, (int)least, (int)least - 1, &error);
    FUZZ_CHECK(status == VQX_ERROR_SIZE);
    fuzz_check_error(status, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    VqxVifOptions options, before;
    VqxError error = {0};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    vqx_vif_default_options(&options);
    before = options;
    const int status = vqx_vif_parse_options(&options, text, &error);
    if (status) {
        fuzz_check_error(status, &error);
        FUZZ_CHECK(!memcmp(&options, &before, sizeof options));
    } else {
        check_accepted(&options);
    }
    free(text);
    return 0;
}
