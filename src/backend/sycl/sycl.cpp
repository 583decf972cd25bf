/* The SYCL backend: the module's entry, opening and closing an engine. */
#include "backend/sycl/engine.hpp"

#include <cstdio>

static void write_info(const VqxEngine &engine, VqxEngineInfo *info)
{
    const SyclDevice &device = *engine.device;
    *info = VqxEngineInfo{};
    info->in_flight = engine.slot_count;
    info->stride_align = 64;
    std::snprintf(info->device, sizeof info->device, "%s", device.name.c_str());
    std::snprintf(info->driver, sizeof info->driver, "%.60s %.60s", device.platform_name.c_str(),
                  device.driver.c_str());
    std::snprintf(info->detail, sizeof info->detail, "fp64-free, %s",
                  engine.soft_division ? "division in software" : "correctly rounded division");
}

static void close_engine(VqxEngine *engine)
{
    if (!engine)
        return;
    sycl_drain(*engine);
    sycl_guard(nullptr, "", "", [engine] {
        sycl_memory_free(*engine);
        return 0;
    });
    delete engine;
}

static int start(VqxEngine &engine, VqxError *error)
{
    int status = sycl_layout(engine, error);
    if (!status)
        status = sycl_slots(engine, error);
    if (!status)
        status = sycl_plan_tables(engine, error);
    if (!status)
        status = sycl_find_launches(engine, error);
    return status;
}

static int open_engine(VqxEngine **out, const VqxEngineParams *params, VqxEngineInfo *info,
                       VqxError *error)
{
    SyclChoice choice{};
    *out = nullptr;
    int status = sycl_guard(error, "SYCL", "fails to choose a device",
                            [&] { return sycl_device_choose(&choice, params->device, error); });
    if (status)
        return status;
    if (params->form == VQX_FORM_NATIVE)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the SYCL backend uses no f64; the form must be fp64-free or auto");
    VqxEngine *engine = new (std::nothrow) VqxEngine{};
    if (!engine)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    engine->device = choice.device;
    engine->soft_division = choice.soft_division || !choice.device->correct_division;
    engine->params = *params;
    status = sycl_guard(error, choice.device->name.c_str(), "cannot be opened",
                        [&] { return start(*engine, error); });
    if (status) {
        close_engine(engine);
        return status;
    }
    write_info(*engine, info);
    *out = engine;
    return 0;
}

static VqxBackend describe()
{
    VqxBackend r{};
    r.abi = VQX_BACKEND_ABI;
    r.name = "sycl";
    r.description = "GPUs with a SYCL runtime, Intel's above all";
    r.exact = 1;
    r.devices = sycl_devices;
    r.open = open_engine;
    r.submit = sycl_submit;
    r.wait = sycl_wait;
    r.close = close_engine;
    r.stage = sycl_stage;
    r.memory_alloc = sycl_pinned_alloc;
    r.memory_free = sycl_pinned_free;
    return r;
}

extern "C" VQX_API const VqxBackend *vqx_backend_module(void);
extern "C" const VqxBackend *vqx_backend_module(void)
{
    static const VqxBackend backend = describe();
    return &backend;
}
