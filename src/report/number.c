#include "report/number.h"

#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libvmaf's rule: six decimals, or sixteen where the fraction, multiplied by ten, takes more than
 * six steps to reach 1 (0.000001 takes six, 0.0000005 seven). */
static int legacy_decimals(double x)
{
    double fraction = fabs(x) - trunc(fabs(x));
    int steps = 0;
    for (; fraction < 1 && fraction != 0; steps++)
        fraction *= 10;
    return steps <= 6 ? 6 : 16;
}

const char *report_number(char text[REPORT_NUMBER_SIZE], double x, int precision)
{
    if (isnan(x))
        snprintf(text, REPORT_NUMBER_SIZE, "nan");
    else if (precision == REPORT_PRECISION_LEGACY && isfinite(x))
        snprintf(text, REPORT_NUMBER_SIZE, "%.*f", legacy_decimals(x), x);
    else
        snprintf(text, REPORT_NUMBER_SIZE, "%.*g", precision, x);
    return text;
}

int report_precision(const char *text)
{
    if (!strcmp(text, "max"))
        return REPORT_PRECISION_MAX;
    if (!strcmp(text, "legacy"))
        return REPORT_PRECISION_LEGACY;
    char *end;
    const long digits = strtol(text, &end, 10);
    return end != text && !*end && digits >= 1 && digits <= REPORT_PRECISION_MAX ? (int)digits : -1;
}
