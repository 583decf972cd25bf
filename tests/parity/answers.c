/* Prints src/parity/answers.inc: what the plain C computes in each case of the self-test. */
#include "parity/cases.h"

#include <inttypes.h>
#include <stdio.h>

static void print_answer(size_t number, const ParityAnswer *answer)
{
    char name[80];
    parity_case_name(name, number);
    printf("/* %s */\n{0x%016" PRIx64 ",\n {", name, answer->values);
    for (int s = 0; s < VIF_SCALES; s++) {
        printf("%s", s ? "},\n  {" : "{");
        for (int i = 0; i < PARITY_STAGES; i++)
            printf("%s0x%08" PRIx32, i ? ", " : "", answer->stage[s][i]);
    }
    printf("}}},\n");
}

int main(void)
{
    ParityRunners runners;
    ParityAnswer answer;
    VqxError error;
    int status = parity_list(&runners, "cpu", NULL, NULL, &error);
    const size_t all = runners.count;
    runners.count = 1; /* the reference alone */
    for (size_t i = 0; !status && i < parity_case_count(); i++) {
        status = parity_case_run(&runners, i, 1, NULL, &answer, &error);
        if (!status)
            print_answer(i, &answer);
    }
    runners.count = all;
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else
        parity_free(&runners);
    return status ? 1 : 0;
}
