/* Objects of the tests' Foundation and Metal: C structs with a class and a count. */
#ifndef VQX_TESTS_METAL_RUNTIME_H
#define VQX_TESTS_METAL_RUNTIME_H

#import <Foundation/Foundation.h>

#include <stddef.h>

typedef struct TestObject {
    Class isa;
    long references;
    void (*destroy)(void *object); /* may be NULL */
} TestObject;

typedef struct TestList { /* arrays and dictionaries */
    TestObject object;
    size_t count;
    id *key, *value;
} TestList;

/* With one reference, the rest zero. */
void *test_new(const char *class_name, size_t size, void (*destroy)(void *object));
id test_list(const char *class_name);
void test_list_add(id list, id key, id value);
id test_error(const char *text);

id objc_retain(id object);
void objc_release(id object);
id objc_autorelease(id object);

#endif
