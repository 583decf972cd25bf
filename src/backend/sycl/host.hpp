/*
 * What the host side builds on: the project's C headers, and calls into SYCL that may throw. No
 * exception leaves the module: every entry of the vtable runs in sycl_guard.
 */
#ifndef VQX_BACKEND_SYCL_HOST_HPP
#define VQX_BACKEND_SYCL_HOST_HPP

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <sycl/sycl.hpp>

extern "C" {
#include "backend/backend.h"
#include "backend/tiles/launches.h"
#include "backend/tiles/stages.h"
#include "util/error.h"
}

/* Runs `body`, which returns a status; what it throws becomes "WHERE WHAT: the exception's text". */
template <typename Body>
int sycl_guard(VqxError *error, const char *where, const char *what, Body body) noexcept
{
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    } catch (const std::exception &e) {
        return vqx_fail(error, VQX_ERROR_BACKEND, "%s %s: %s", where, what, e.what());
    } catch (...) {
        return vqx_fail(error, VQX_ERROR_BACKEND, "%s %s", where, what);
    }
}

/* A queue that does what it is given in order. A device's failures arrive in a handler; finish()
 * throws the first. */
class SyclQueue
{
    struct Faults {
        std::mutex mutex; /* guards first: handlers may run in any thread */
        std::exception_ptr first;
    };
    std::shared_ptr<Faults> faults;

  public:
    sycl::queue queue;

    explicit SyclQueue(const sycl::device &device);
    void finish();
};

#endif
