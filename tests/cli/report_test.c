/* The report station alone: numbers, what is no number, and formats with values that no metric of today gives. */
#include "report/number.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_number(double x, int precision, const char *expected)
{
    char text[REPORT_NUMBER_SIZE];
    assert_string_equal(report_number(text, x, precision), expected);
}

static void test_legacy_numbers(void **state)
{
    (void)state;
    assert_number(0, REPORT_PRECISION_LEGACY, "0.000000");
    assert_number(-1, REPORT_PRECISION_LEGACY, "-1.000000");
    assert_number(0.66676990815485382, REPORT_PRECISION_LEGACY, "0.666770");
    assert_number(1804455.400390625, REPORT_PRECISION_LEGACY, "1804455.400391");
    assert_number(0.00000312, REPORT_PRECISION_LEGACY, "0.000003");
    assert_number(0.0000005, REPORT_PRECISION_LEGACY, "0.0000005000000000");
    assert_number(-0.0000000625, REPORT_PRECISION_LEGACY, "-0.0000000625000000");
    assert_number(1e20, REPORT_PRECISION_LEGACY, "100000000000000000000.000000");
    char text[REPORT_NUMBER_SIZE];
    assert_int_equal(strlen(report_number(text, -1.7976931348623157e308, REPORT_PRECISION_LEGACY)),
                     317);
}

static void test_other_numbers(void **state)
{
    (void)state;
    assert_number(0.1, REPORT_PRECISION_MAX, "0.10000000000000001");
    assert_number(0.1, 3, "0.1");
    assert_number(1234567.0, 3, "1.23e+06");
    for (int precision = REPORT_PRECISION_LEGACY; precision <= REPORT_PRECISION_MAX; precision++) {
        assert_number(NAN, precision, "nan");
        assert_number(-NAN, precision, "nan"); /* its sign differs between machines */
        assert_number(INFINITY, precision, "inf");
        assert_number(-INFINITY, precision, "-inf");
    }
}

static void test_precision_names(void **state)
{
    (void)state;
    assert_int_equal(report_precision("max"), REPORT_PRECISION_MAX);
    assert_int_equal(report_precision("legacy"), REPORT_PRECISION_LEGACY);
    assert_int_equal(report_precision("6"), 6);
    static const char *const refused[] = {
        "", "0", "18", "-1", "6x", "maximum", "99999999999999999999"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(report_precision(refused[i]), -1);
}

static int two_frames(void *opaque, size_t n, uint64_t *index, double *values)
{
    (void)opaque;
    *index = n ? 5000000000u : 0;
    values[0] = n ? NAN : 0.5;
    values[1] = n ? -INFINITY : INFINITY;
    return 0;
}

static int failing_frame(void *opaque, size_t n, uint64_t *index, double *values)
{
    (void)opaque, (void)index, (void)values;
    return n == 1 ? -7 : 0;
}

static const char *const names[] = {"a", "b"};
static const ReportPooled pooled[] = {{NAN, 0.5, NAN, INFINITY}, {-INFINITY, 1, 2, 3}};
static const ReportNote notes[] = {{"note", "\"<&\n\xff"}};
static const Report report = {.version = "1.2",
                              .width = 16,
                              .height = 9,
                              .fps = 2.5,
                              .notes = notes,
                              .note_count = 1,
                              .names = names,
                              .pooled = pooled,
                              .value_count = 2,
                              .frame_count = 2,
                              .frame = two_frames};

static void assert_report(ReportFormat format, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(report_write(&report, format, REPORT_PRECISION_MAX, file), 0);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void test_formats(void **state)
{
    (void)state;
    assert_report(REPORT_CSV, "Frame,a,b\n0,0.5,inf\n5000000000,nan,-inf\n");
    assert_report(REPORT_SUBTITLE, "{0}{1}frame: 0|a: 0.5|b: inf|\n"
                                   "{5000000000}{5000000001}frame: 5000000000|a: nan|b: -inf|\n");
    assert_report(
        REPORT_XML,
        "<VMAF version=\"1.2\">\n"
        "  <params qualityWidth=\"16\" qualityHeight=\"9\" />\n"
        "  <fyi fps=\"2.50\" />\n"
        "  <vqx note=\"&#34;&#60;&#38;&#10;\xEF\xBF\xBD\" />\n"
        "  <frames>\n"
        "    <frame frameNum=\"0\" a=\"0.5\" b=\"inf\" />\n"
        "    <frame frameNum=\"5000000000\" a=\"nan\" b=\"-inf\" />\n"
        "  </frames>\n"
        "  <pooled_metrics>\n"
        "    <metric name=\"a\" min=\"nan\" max=\"0.5\" mean=\"nan\" harmonic_mean=\"inf\" />\n"
        "    <metric name=\"b\" min=\"-inf\" max=\"1\" mean=\"2\" harmonic_mean=\"3\" />\n"
        "  </pooled_metrics>\n"
        "  <aggregate_metrics />\n"
        "</VMAF>\n");
    assert_report(REPORT_JSON, "{\n"
                               "  \"version\": \"1.2\",\n"
                               "  \"fps\": 2.50,\n"
                               "  \"vqx\": {\n"
                               "    \"note\": \"\\\"<&\\u000A\xEF\xBF\xBD\"\n"
                               "  },\n"
                               "  \"frames\": [\n"
                               "    {\n"
                               "      \"frameNum\": 0,\n"
                               "      \"metrics\": {\n"
                               "        \"a\": 0.5,\n"
                               "        \"b\": null\n"
                               "      }\n"
                               "    },\n"
                               "    {\n"
                               "      \"frameNum\": 5000000000,\n"
                               "      \"metrics\": {\n"
                               "        \"a\": null,\n"
                               "        \"b\": null\n"
                               "      }\n"
                               "    }\n"
                               "  ],\n"
                               "  \"pooled_metrics\": {\n"
                               "    \"a\": {\n"
                               "      \"min\": null,\n"
                               "      \"max\": 0.5,\n"
                               "      \"mean\": null,\n"
                               "      \"harmonic_mean\": null\n"
                               "    },\n"
                               "    \"b\": {\n"
                               "      \"min\": null,\n"
                               "      \"max\": 1,\n"
                               "      \"mean\": 2,\n"
                               "      \"harmonic_mean\": 3\n"
                               "    }\n"
                               "  },\n"
                               "  \"aggregate_metrics\": {\n"
                               "  }\n"
                               "}\n");
}

static void test_failures_are_passed_on(void **state)
{
    (void)state;
    Report failing = report;
    failing.frame = failing_frame;
    FILE *null = fopen("/dev/null", "w"), *full = fopen("/dev/full", "w");
    assert_non_null(null);
    assert_non_null(full);
    for (ReportFormat format = REPORT_XML; format <= REPORT_SUBTITLE; format++) {
        assert_int_equal(report_write(&failing, format, REPORT_PRECISION_MAX, null), -7);
        assert_int_not_equal(report_write(&report, format, REPORT_PRECISION_MAX, full), 0);
    }
    fclose(null);
    fclose(full);
}

static void test_suffixes(void **state)
{
    (void)state;
    assert_int_equal(report_format_of("a.xml/b.JSON", REPORT_XML), REPORT_JSON);
    assert_int_equal(report_format_of("a.csv", REPORT_XML), REPORT_CSV);
    assert_int_equal(report_format_of("a.sub", REPORT_XML), REPORT_SUBTITLE);
    assert_int_equal(report_format_of("a.txt", REPORT_XML), REPORT_XML);
    assert_int_equal(report_format_of("-", REPORT_JSON), REPORT_JSON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legacy_numbers),         cmocka_unit_test(test_other_numbers),
        cmocka_unit_test(test_precision_names),        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_failures_are_passed_on), cmocka_unit_test(test_suffixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
