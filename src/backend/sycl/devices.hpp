/*
 * Devices: which there are, what they can do, and which are refused. They are found once a process.
 */
#ifndef VQX_BACKEND_SYCL_DEVICES_HPP
#define VQX_BACKEND_SYCL_DEVICES_HPP

#include "backend/sycl/host.hpp"

struct SyclDevice {
    sycl::device device;
    int number; /* what the device setting takes */
    std::string name, platform_name, driver;
    bool is_cpu;
    bool correct_division; /* promised, and kept in the self-test */
    std::uint64_t memory, largest_buffer, local_memory;
    std::size_t largest_group;

    std::mutex check_mutex; /* guards: */
    bool checked;           /* the refusal is decided */
    VqxError refusal;       /* status 0: the device may be used */
};

/* What the device setting asks for. */
struct SyclChoice {
    SyclDevice *device;
    bool soft_division; /* asked for by a test */
};

/*
 * "N", or a part of the platform's or the device's name (case does not matter); either may be
 * followed by "+soft-division", which divides in software on a device that need not: a switch for
 * tests. NULL: the first device that is no CPU, else the first. 0, or the reason why it is refused.
 */
int sycl_device_choose(SyclChoice *choice, const char *setting, VqxError *error);

/* VqxBackend.devices */
std::size_t sycl_devices(VqxDevice *devices, std::size_t capacity) noexcept;

/* self_test.cpp: the self-test of backend/probe.h. Throws what SYCL does. */
int sycl_self_test(const SyclDevice &device, bool soft_division, VqxError *error);

#endif
