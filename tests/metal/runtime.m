/*
 * Foundation for tests, and what automatic reference counting calls of a runtime library. Counts
 * are real: what is used after it is let go of crashes.
 *
 * This file and device.m are compiled without automatic reference counting.
 */
#import "runtime.h"

#include <stdio.h>
#include <stdlib.h>

static _Thread_local TestObject *pool[256];
static _Thread_local size_t pooled;

void *objc_lookup_class(const char *name); /* messages.c */

void *test_new(const char *class_name, size_t size, void (*destroy)(void *object))
{
    TestObject *object = calloc(1, size);
    object->isa = (Class)objc_lookup_class(class_name);
    object->references = 1;
    object->destroy = destroy;
    return object;
}

id objc_retain(id object)
{
    if (object)
        __atomic_add_fetch(&((TestObject *)object)->references, 1, __ATOMIC_RELAXED);
    return object;
}

void objc_release(id object)
{
    TestObject *o = (TestObject *)object;
    if (!o || __atomic_sub_fetch(&o->references, 1, __ATOMIC_ACQ_REL))
        return;
    if (o->destroy)
        o->destroy(o);
    memset(o, 0xdd, sizeof *o);
    free(o);
}

id objc_autorelease(id object)
{
    if (!object)
        return nil;
    if (pooled == sizeof pool / sizeof pool[0]) {
        fprintf(stderr, "metal test: objects without a pool\n");
        abort();
    }
    pool[pooled++] = (TestObject *)object;
    return object;
}

#define RUNTIME(result, name, arguments) \
    result name arguments;               \
    result name arguments
RUNTIME(id, objc_autoreleaseReturnValue, (id object))
{
    return objc_autorelease(object);
}
RUNTIME(id, objc_retainAutorelease, (id object))
{
    return objc_autorelease(objc_retain(object));
}
RUNTIME(id, objc_retainAutoreleaseReturnValue, (id object))
{
    return objc_autorelease(objc_retain(object));
}
RUNTIME(id, objc_retainAutoreleasedReturnValue, (id object))
{
    return objc_retain(object);
}
RUNTIME(id, objc_unsafeClaimAutoreleasedReturnValue, (id object))
{
    return object;
}
RUNTIME(void, objc_storeStrong, (id * at, id object))
{
    id before = *at;
    *at = objc_retain(object);
    objc_release(before);
}
RUNTIME(void *, objc_autoreleasePoolPush, (void))
{
    return (void *)pooled;
}
RUNTIME(void, objc_autoreleasePoolPop, (void *mark))
{
    while (pooled > (size_t)mark)
        objc_release((id)pool[--pooled]);
}

@implementation NSObject
+ (instancetype)new
{
    return nil; /* classes that can be made this way say how */
}
@end

/* ---- strings, numbers, errors ---- */

typedef struct Text {
    TestObject object;
    char *text;
} Text;

static void free_text(void *object)
{
    free(((Text *)object)->text);
}

static id new_text(const char *class_name, const char *text)
{
    Text *r = test_new(class_name, sizeof *r, free_text);
    r->text = strdup(text);
    return (id)r;
}

@implementation NSString
+ (instancetype)stringWithUTF8String:(const char *)text
{
    return objc_autorelease(new_text("NSString", text));
}
- (const char *)UTF8String
{
    return ((Text *)self)->text;
}
@end

id test_error(const char *text)
{
    return objc_autorelease(new_text("NSError", text));
}

@implementation NSError
- (NSString *)localizedDescription
{
    return [NSString stringWithUTF8String:((Text *)self)->text];
}
@end

typedef struct Number {
    TestObject object;
    int value;
} Number;

@implementation NSNumber
+ (NSNumber *)numberWithInt:(int)value
{
    Number *r = test_new("NSNumber", sizeof *r, NULL);
    r->value = value;
    return objc_autorelease((id)r);
}
- (int)intValue
{
    return ((Number *)self)->value;
}
@end

@implementation NSProcessInfo
+ (NSProcessInfo *)processInfo
{
    return objc_autorelease((id)test_new("NSProcessInfo", sizeof(TestObject), NULL));
}
- (NSString *)operatingSystemVersionString
{
    return [NSString stringWithUTF8String:"none: the tests' SIMT runner"];
}
@end

/* ---- collections ---- */

static void free_list(void *object)
{
    TestList *list = object;
    for (size_t i = 0; i < list->count; i++) {
        objc_release(list->key[i]);
        objc_release(list->value[i]);
    }
    free(list->key);
    free(list->value);
}

id test_list(const char *class_name)
{
    return (id)test_new(class_name, sizeof(TestList), free_list);
}

void test_list_add(id object, id key, id value)
{
    TestList *list = (TestList *)object;
    list->key = realloc(list->key, (list->count + 1) * sizeof *list->key);
    list->value = realloc(list->value, (list->count + 1) * sizeof *list->value);
    list->key[list->count] = objc_retain(key);
    list->value[list->count++] = objc_retain(value);
}

@implementation NSArray
- (NSUInteger)count
{
    return ((TestList *)self)->count;
}
- (id)objectAtIndex:(NSUInteger)index
{
    return ((TestList *)self)->value[index];
}
@end

@implementation NSDictionary
- (id)objectForKey:(id)key
{
    const TestList *list = (TestList *)self;
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp([list->key[i] UTF8String], [key UTF8String]))
            return list->value[i];
    return nil;
}
@end

@implementation NSMutableDictionary
+ (instancetype)new
{
    return test_list("NSMutableDictionary");
}
- (void)setObject:(id)object forKey:(id)key
{
    test_list_add(self, key, object);
}
@end
