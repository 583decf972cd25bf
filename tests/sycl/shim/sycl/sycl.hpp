/*
 * As much of SYCL 2020 as the SYCL backend calls, on the host: its device is the SIMT runner, its
 * memory lies between guard pages. What is put in a queue runs when the queue is waited for, so that
 * nothing may rely on its arguments' staying alive by luck. Calls that the specification does not
 * allow end the program.
 */
#ifndef VQX_TESTS_SYCL_HPP
#define VQX_TESTS_SYCL_HPP

#include "simt/runner.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

extern "C" float shared[]; /* the runner's local memory */

namespace sycl
{
namespace shim
{
enum { LOCAL_BYTES = 32 << 10, LARGEST_GROUP = 512 };

inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "sycl test: %s\n", what);
    std::abort();
}

/* Says what a guard page caught; the access is then made again and ends the program. */
inline void say_outside(int)
{
    static const char text[] = "sycl test: a kernel reads or writes outside its buffers\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        std::abort();
}

inline std::mutex runner; /* which runs one launch at a time, and allocates */

inline bool has(const char *fault)
{
    const char *faults = std::getenv("VQX_SYCL_SHIM");
    return faults && std::strstr(faults, fault);
}
} // namespace shim

/* ---- errors ---- */

class exception : public virtual std::exception
{
    std::string text;

  public:
    explicit exception(const char *what) : text(what) {}
    const char *what() const noexcept override
    {
        return text.c_str();
    }
};
typedef std::vector<std::exception_ptr> exception_list;
typedef std::function<void(exception_list)> async_handler;

/* ---- devices ---- */

enum class aspect { usm_device_allocations, usm_host_allocations };

namespace info
{
enum class fp_config { denorm, inf_nan, round_to_nearest, correctly_rounded_divide_sqrt };
#define SHIM_INFO(name, type, value) \
    struct name {                    \
        typedef type return_type;    \
        static return_type get()     \
        {                            \
            return value;            \
        }                            \
    };
namespace platform
{
SHIM_INFO(name, std::string, "tests")
}
namespace device
{
SHIM_INFO(name, std::string, "SIMT runner")
SHIM_INFO(driver_version, std::string, "1")
SHIM_INFO(global_mem_size, std::uint64_t, std::uint64_t{1} << 30)
SHIM_INFO(max_mem_alloc_size, std::uint64_t, std::uint64_t{1} << 30)
SHIM_INFO(local_mem_size, std::uint64_t, shim::has("small-local") ? 16384 : shim::LOCAL_BYTES)
SHIM_INFO(max_work_group_size, std::size_t, shim::LARGEST_GROUP)
struct single_fp_config {
    typedef std::vector<fp_config> return_type;
    static return_type get()
    {
        return_type r = {fp_config::inf_nan, fp_config::round_to_nearest};
        if (!shim::has("no-denorm"))
            r.push_back(fp_config::denorm);
        if (!shim::has("no-division"))
            r.push_back(fp_config::correctly_rounded_divide_sqrt);
        return r;
    }
};
} // namespace device
#undef SHIM_INFO
} // namespace info

class platform
{
  public:
    template <typename Info> typename Info::return_type get_info() const
    {
        return Info::get();
    }
};

class device
{
  public:
    static std::vector<device> get_devices()
    {
        struct sigaction action = {};
        action.sa_handler = shim::say_outside;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        shim::require(!sigaction(SIGSEGV, &action, nullptr), "no signal handler");
        if (shim::has("no-runtime"))
            throw exception("the runtime cannot be started");
        return std::vector<device>(shim::has("no-device") ? 0 : 1);
    }
    template <typename Info> typename Info::return_type get_info() const
    {
        return Info::get();
    }
    platform get_platform() const
    {
        return {};
    }
    bool has(aspect) const
    {
        return !shim::has("no-usm");
    }
    bool is_cpu() const
    {
        return false;
    }
};

/* ---- kernels ---- */

template <int dimensions> class range
{
    std::size_t size[dimensions];

  public:
    range(std::size_t a, std::size_t b, std::size_t c) : size{a, b, c} {}
    std::size_t operator[](int i) const
    {
        return size[i];
    }
};

template <int dimensions> struct nd_range {
    range<dimensions> global, local;
    nd_range(range<dimensions> g, range<dimensions> l) : global(g), local(l)
    {
        for (int i = 0; i < dimensions; i++)
            shim::require(l[i] && g[i] && g[i] % l[i] == 0,
                          "a range that is no multiple of its groups");
        shim::require(l[0] * l[1] * l[2] <= shim::LARGEST_GROUP, "a group that is too large");
    }
};

template <int dimensions> class group
{
};

template <int dimensions> class nd_item
{
    static std::size_t of(const SimtIndex &index, int dimension)
    {
        return dimension == 2 ? index.x : dimension == 1 ? index.y : index.z;
    }

  public:
    std::size_t get_local_id(int dimension) const
    {
        return of(threadIdx, dimension);
    }
    std::size_t get_group(int dimension) const
    {
        return of(blockIdx, dimension);
    }
    group<dimensions> get_group() const
    {
        return {};
    }
};

inline void group_barrier(group<3>)
{
    simt_barrier(0);
}

class handler
{
    friend class queue;
    std::function<void()> command;

  public:
    std::size_t local_bytes = 0;
    template <typename Kernel> void parallel_for(nd_range<3> over, const Kernel &kernel);
};

template <typename Value, int dimensions> class local_accessor
{
    std::size_t first, count;

  public:
    local_accessor(std::size_t n, handler &to) : first(to.local_bytes), count(n)
    {
        to.local_bytes += n * sizeof(Value);
        shim::require(to.local_bytes <= shim::LOCAL_BYTES, "more local memory than there is");
    }
    Value &operator[](std::size_t i) const
    {
        shim::require(i < count, "an index outside local memory");
        return reinterpret_cast<Value *>(reinterpret_cast<char *>(shared) + first)[i];
    }
};

template <typename Kernel> void shim_thread(void *kernel)
{
    (*static_cast<const Kernel *>(kernel))(nd_item<3>());
}

template <typename Kernel> void handler::parallel_for(nd_range<3> over, const Kernel &kernel)
{
    static_assert(std::is_trivially_copyable<Kernel>::value, "a kernel must be device copyable");
    shim::require(!command, "two commands in a command group");
    command = [over, kernel = kernel, bytes = local_bytes]() mutable {
        const unsigned groups[3] = {static_cast<unsigned>(over.global[2] / over.local[2]),
                                    static_cast<unsigned>(over.global[1] / over.local[1]),
                                    static_cast<unsigned>(over.global[0] / over.local[0])};
        simt_launch(shim_thread<Kernel>, &kernel, groups, static_cast<unsigned>(over.local[2]),
                    static_cast<unsigned>(bytes));
    };
}

/* ---- queues and memory ---- */

namespace property
{
namespace queue
{
struct in_order {
};
} // namespace queue
} // namespace property

class property_list
{
  public:
    const bool in_order;
    property_list(std::initializer_list<property::queue::in_order> list) : in_order(list.size()) {}
};

class queue
{
    struct State {
        async_handler handle;
        std::vector<std::function<void()>> commands;
        ~State()
        {
            shim::require(commands.empty(), "a queue ends before it was waited for");
        }
    };
    std::shared_ptr<State> state = std::make_shared<State>();

  public:
    queue(const device &, async_handler handle, const property_list &properties)
    {
        shim::require(properties.in_order, "a queue that is not in order");
        state->handle = std::move(handle);
    }
    template <typename Group> void submit(Group group)
    {
        handler h;
        group(h);
        shim::require(static_cast<bool>(h.command), "a command group without a command");
        state->commands.push_back(std::move(h.command));
    }
    void memcpy(void *to, const void *from, std::size_t bytes)
    {
        state->commands.push_back([=] { std::memcpy(to, from, bytes); });
    }
    void wait_and_throw()
    {
        const std::lock_guard<std::mutex> lock(shim::runner);
        const auto commands = std::exchange(state->commands, {});
        for (const auto &command : commands)
            command();
        if (shim::has("device-fails") && commands.size() > 8) /* a frame */
            state->handle({std::make_exception_ptr(exception("the device was lost"))});
    }
};

inline void *malloc_device(std::size_t bytes, const queue &)
{
    const std::lock_guard<std::mutex> lock(shim::runner);
    return simt_alloc(bytes);
}
inline void *malloc_host(std::size_t bytes, const queue &of)
{
    return shim::has("no-pinned") ? nullptr : malloc_device(bytes, of);
}
template <typename Value> Value *malloc_host(std::size_t count, const queue &of)
{
    return static_cast<Value *>(malloc_host(count * sizeof(Value), of));
}
inline void free(void *memory, const queue &)
{
    const std::lock_guard<std::mutex> lock(shim::runner);
    shim::require(!simt_free(memory), "memory that is not SYCL's is freed");
}
} // namespace sycl

/* No f64 may stand in a kernel. */
#ifdef VQX_NO_F64
#define double no_f64_in_kernels
#endif

#endif
