/* Finds devices, asks what they can do, and tells which are refused. */
#include "backend/sycl/devices.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "backend/tiles/setting.h"
}

#ifdef SYCL_IMPLEMENTATION_ACPP
/* AdaptiveCpp's runtime writes warnings to standard output, where a report may be going. It asks once
 * for the level, when the first kernels are registered: before that, then, while this module is
 * loaded. A level that the user has set stays. */
__attribute__((constructor(101))) static void silence_runtime()
{
    setenv("ACPP_DEBUG_LEVEL", "0", 0);
}
#endif

namespace
{
/* What a process knows of its devices; filled once, and never freed: SYCL's runtime may end before
 * this module does. */
struct Devices {
    std::vector<std::unique_ptr<SyclDevice>> device;
    VqxError failure{};
};

std::unique_ptr<SyclDevice> describe(const sycl::device &from, int number)
{
    namespace info = sycl::info::device;
    auto r = std::make_unique<SyclDevice>();
    const auto f32 = from.get_info<info::single_fp_config>();
    r->device = from;
    r->number = number;
    r->name = from.get_info<info::name>();
    r->platform_name = from.get_platform().get_info<sycl::info::platform::name>();
    r->driver = from.get_info<info::driver_version>();
    r->is_cpu = from.is_cpu();
    r->correct_division = std::count(f32.begin(), f32.end(),
                                     sycl::info::fp_config::correctly_rounded_divide_sqrt) > 0;
    r->memory = from.get_info<info::global_mem_size>();
    r->largest_buffer = from.get_info<info::max_mem_alloc_size>();
    r->local_memory = from.get_info<info::local_mem_size>();
    r->largest_group = from.get_info<info::max_work_group_size>();
    return r;
}

Devices *find_devices()
{
    auto *all = new Devices;
    sycl_guard(&all->failure, "SYCL", "cannot list its devices", [all] {
        for (const sycl::device &device : sycl::device::get_devices())
            all->device.push_back(describe(device, static_cast<int>(all->device.size())));
        return all->device.empty()
                   ? vqx_fail(&all->failure, VQX_ERROR_BACKEND, "SYCL's runtime finds no device")
                   : 0;
    });
    return all;
}

const Devices &all_devices()
{
    static const Devices *all = find_devices();
    return *all;
}

bool has_config(const SyclDevice &device, sycl::info::fp_config what)
{
    const auto has = device.device.get_info<sycl::info::device::single_fp_config>();
    return std::find(has.begin(), has.end(), what) != has.end();
}

/* What can be told without running anything. */
int check_properties(const SyclDevice &device, VqxError *error)
{
    const std::size_t local = sizeof(float) * VIF_SCALE_TILE;
    if (!device.device.has(sycl::aspect::usm_device_allocations) ||
        !device.device.has(sycl::aspect::usm_host_allocations))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device has no unified shared memory (device and host allocations)");
    if (!has_config(device, sycl::info::fp_config::denorm))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device does not keep subnormal numbers, so scores would differ");
    if (!has_config(device, sycl::info::fp_config::round_to_nearest) ||
        !has_config(device, sycl::info::fp_config::inf_nan))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device does not round to nearest or has no infinities");
    if (device.largest_group < VIF_GROUP || device.local_memory < local)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device has groups of %zu work-items and %llu bytes of local memory; "
                        "%d and %zu are needed",
                        device.largest_group, static_cast<unsigned long long>(device.local_memory),
                        VIF_GROUP, local);
    return 0;
}

/* A division that is promised and not kept is replaced, as one not promised is. */
int check_device(SyclDevice &device, VqxError *error)
{
    int status = check_properties(device, error);
    if (!status)
        status = sycl_self_test(device, !device.correct_division, error);
    if (status && device.correct_division) {
        device.correct_division = false;
        status = sycl_self_test(device, true, nullptr) ? status : 0;
    }
    return status;
}

/* Once a device. */
int device_check(SyclDevice &device, VqxError *error)
{
    const std::lock_guard<std::mutex> lock(device.check_mutex);
    if (!device.checked)
        sycl_guard(&device.refusal, "SYCL", "fails in the self-test",
                   [&device] { return check_device(device, &device.refusal); });
    device.checked = true;
    return device.refusal.status
               ? vqx_fail(error, device.refusal.status, "%s", device.refusal.message)
               : 0;
}

SyclDevice *find_named(const Devices &all, const TilesSetting &setting)
{
    std::size_t number;
    if (tiles_setting_number(&setting, &number))
        return number < all.device.size() ? all.device[number].get() : nullptr;
    for (const auto &device : all.device)
        if (strcasestr(device->name.c_str(), setting.name) ||
            strcasestr(device->platform_name.c_str(), setting.name))
            return device.get();
    return nullptr;
}

SyclDevice *find_preferred(const Devices &all)
{
    for (const auto &device : all.device)
        if (!device->is_cpu && !device_check(*device, nullptr))
            return device.get();
    return all.device.front().get();
}

template <std::size_t size> void copy_text(char (&to)[size], const std::string &from)
{
    std::snprintf(to, size, "%s", from.c_str());
}

VqxDevice list_device(SyclDevice &device)
{
    VqxDevice out{};
    VqxError reason{};
    /* A CPU is never chosen by `auto`, so its self-test can wait until it is opened: `auto` asks
     * for this list at every start. */
    out.available =
        !(device.is_cpu ? check_properties(device, &reason) : device_check(device, &reason));
    out.automatic = out.available && !device.is_cpu;
    copy_text(out.backend, "sycl");
    copy_text(out.device, std::to_string(device.number));
    copy_text(out.name, device.name);
    copy_text(out.driver, device.driver);
    copy_text(
        out.detail,
        device.platform_name + ", " + std::to_string(device.memory >> 20) + " MiB, " +
            (device.correct_division ? "correctly rounded division" : "division in software"));
    if (!out.available)
        copy_text(out.reason, reason.message);
    return out;
}
} // namespace

int sycl_device_choose(SyclChoice *choice, const char *setting, VqxError *error)
{
    const Devices &all = all_devices();
    TilesSetting wanted;
    VqxError reason;
    if (all.device.empty())
        return vqx_fail(error, all.failure.status, "%s", all.failure.message);
    const int status = tiles_setting(&wanted, setting, error);
    if (status)
        return status;
    choice->soft_division = wanted.soft_division;
    choice->device = *wanted.name ? find_named(all, wanted) : find_preferred(all);
    if (!choice->device)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "there is no SYCL device '%s'; a number from 0 to %zu is taken, or a part "
                        "of a platform's or device's name",
                        wanted.name, all.device.size() - 1);
    if (device_check(*choice->device, &reason))
        return vqx_fail(error, reason.status, "%s: %s", choice->device->name.c_str(),
                        reason.message);
    return 0;
}

std::size_t sycl_devices(VqxDevice *devices, std::size_t capacity) noexcept
{
    VqxError failure{};
    std::size_t count = 1;
    sycl_guard(&failure, "SYCL", "cannot describe its devices", [&] {
        const Devices &all = all_devices();
        if (all.device.empty())
            return vqx_fail(&failure, all.failure.status, "%s", all.failure.message);
        for (std::size_t i = 0; i < all.device.size() && i < capacity; i++)
            devices[i] = list_device(*all.device[i]);
        count = all.device.size();
        return 0;
    });
    if (failure.status && capacity) {
        devices[0] = VqxDevice{};
        copy_text(devices[0].backend, "sycl");
        copy_text(devices[0].reason, failure.message);
    }
    return count;
}
