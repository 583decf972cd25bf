/*
 * Calls a kernel in one thread, its arguments found by their types in the order in which they stand:
 * buffers (device and constant), threadgroup memory, the thread's index, the group's position.
 * Compiled behind the kernels' source.
 */
#include <cstdint>
#include <utility>

struct ShimCall {
    void *const *buffer;
    void *threadgroup_memory;
    uint index;
    uint3 group;
};

template <typename T> struct Argument; /* what a kernel may not take has no definition */

template <typename T> struct Argument<device T *> {
    static device T *get(const ShimCall &call, int &at)
    {
        return reinterpret_cast<device T *>(reinterpret_cast<std::uintptr_t>(call.buffer[at++]));
    }
};
template <typename T> struct Argument<constant T *> {
    static constant T *get(const ShimCall &call, int &at)
    {
        return reinterpret_cast<constant T *>(reinterpret_cast<std::uintptr_t>(call.buffer[at++]));
    }
};
template <typename T> struct Argument<constant T &> {
    static constant T &get(const ShimCall &call, int &at)
    {
        return *Argument<constant T *>::get(call, at);
    }
};
template <typename T> struct Argument<threadgroup T *> {
    static threadgroup T *get(const ShimCall &call, int &)
    {
        return reinterpret_cast<threadgroup T *>(
            reinterpret_cast<std::uintptr_t>(call.threadgroup_memory));
    }
};
template <> struct Argument<uint> {
    static uint get(const ShimCall &call, int &)
    {
        return call.index;
    }
};
template <> struct Argument<uint3> {
    static uint3 get(const ShimCall &call, int &)
    {
        return call.group;
    }
};

/* Braces, unlike parentheses, evaluate in order. */
template <typename... Types> struct Arguments;
template <> struct Arguments<> {
    template <typename Function, typename... Done>
    static void call(Function f, const ShimCall &, int &, Done &&... done)
    {
        f(static_cast<Done &&>(done)...);
    }
};
template <typename First, typename... Rest> struct Arguments<First, Rest...> {
    template <typename Function, typename... Done>
    static void call(Function f, const ShimCall &from, int &at, Done &&... done)
    {
        Arguments<Rest...>::call(f, from, at, static_cast<Done &&>(done)...,
                                 Argument<First>::get(from, at));
    }
};

template <typename... Types> static void shim_apply(void (*f)(Types...), const ShimCall &from)
{
    int at = 0;
    Arguments<Types...>::call(f, from, at);
}

extern "C" __attribute__((visibility("default"))) ShimRunner shim_runner = {};
extern "C" __attribute__((visibility("default"))) void shim_call(void *call)
{
    shim_apply(SHIM_KERNEL, *static_cast<const ShimCall *>(call));
}
