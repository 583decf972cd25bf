/* Numbers as text. */
#ifndef VQX_REPORT_NUMBER_H
#define VQX_REPORT_NUMBER_H

enum { REPORT_NUMBER_SIZE = 352 }; /* holds any double at 16 decimals */

/* Prints x as ReportPrecision asks and returns text: "nan", "inf" or "-inf" where x is no number,
 * without the NaN's sign, which differs between machines. */
const char *report_number(char text[REPORT_NUMBER_SIZE], double x, int precision);

/* Reads "max", "legacy" or 1..17; -1 for anything else. */
int report_precision(const char *text);

#endif
