/* Text of any origin, such as file names, inside a report. */
#ifndef VQX_REPORT_TEXT_H
#define VQX_REPORT_TEXT_H

#include <stdio.h>

/* Both write text between double quotes and escape what the format asks for. A byte that belongs to
 * no valid UTF-8 character becomes U+FFFD, in XML also a character that XML cannot hold. */
void report_json_string(FILE *file, const char *text);
void report_xml_attribute(FILE *file, const char *text);

#endif
