/*
 * Message sending for tests: classes are announced by the files that define them, a method is found by
 * its name in the class and those above it. The tables are those of GNU's runtime library, which
 * clang writes for ObjFW too.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Method {
    const char *name, *types;
    void (*implementation)(void);
} Method;

typedef struct Methods {
    struct Methods *next;
    int count;
    Method method[];
} Methods;

enum { META_CLASS = 2 };

typedef struct Table {
    struct Table *isa;
    const char *parent, *name;
    long version;
    unsigned long info;
    long instance_size;
    void *variables;
    Methods *methods;
} Table;

typedef struct Symbols {
    long selector_count;
    void *selectors;
    short class_count, category_count;
    Table *table[];
} Symbols;

typedef struct Module {
    long version, size;
    const char *name;
    Symbols *symbols;
} Module;

typedef struct Selector {
    const char *name, *types;
} Selector;

typedef void (*Implementation)(void);

void __objc_exec_class(Module *module);
void *objc_lookup_class(const char *name);
Implementation objc_msg_lookup(void *receiver, const Selector *selector);
Implementation objc_msg_lookup_stret(void *receiver, const Selector *selector);

static Table *classes[64];
static size_t class_count;

/* Runs when the module is loaded, before anything else of it. */
void __objc_exec_class(Module *module)
{
    for (int i = 0; i < module->symbols->class_count; i++) {
        if (class_count == sizeof classes / sizeof classes[0])
            abort();
        classes[class_count++] = module->symbols->table[i];
    }
}

void *objc_lookup_class(const char *name)
{
    for (size_t i = 0; i < class_count; i++)
        if (!strcmp(classes[i]->name, name))
            return classes[i];
    return NULL;
}

static Implementation find(const Table *table, const char *name)
{
    const int meta = (table->info & META_CLASS) != 0;
    while (table) {
        for (const Methods *list = table->methods; list; list = list->next)
            for (int i = 0; i < list->count; i++)
                if (!strcmp(list->method[i].name, name))
                    return list->method[i].implementation;
        const Table *parent = table->parent ? objc_lookup_class(table->parent) : NULL;
        table = parent && meta ? parent->isa : parent;
    }
    return NULL;
}

/* What a message to nil does; zero in every register that a result of one or two words has. */
static void *to_nil(void)
{
    return NULL;
}

Implementation objc_msg_lookup(void *receiver, const Selector *selector)
{
    if (!receiver)
        return (Implementation)to_nil;
    const Table *table = *(Table **)receiver;
    const Implementation found = find(table, selector->name);
    if (!found) {
        fprintf(stderr, "metal test: %s does not understand %s\n", table->name, selector->name);
        abort();
    }
    return found;
}

Implementation objc_msg_lookup_stret(void *receiver, const Selector *selector)
{
    if (!receiver)
        abort(); /* nothing would be written */
    return objc_msg_lookup(receiver, selector);
}
