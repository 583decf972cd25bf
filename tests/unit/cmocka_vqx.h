/* cmocka needs these before it. */
#ifndef VQX_TESTS_CMOCKA_H
#define VQX_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
