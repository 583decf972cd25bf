/* Runs the self-test of backend/probe.h on a device. */
#include "backend/sycl/devices.hpp"
#include "backend/sycl/kernels.hpp"

#include <vector>

extern "C" {
#include "backend/probe.h"
}

namespace
{
/* Device memory that is freed with its owner. */
class Memory
{
    SyclQueue &owner;

  public:
    void *const memory;
    Memory(SyclQueue &queue, std::size_t bytes)
        : owner(queue), memory(sycl::malloc_device(bytes, queue.queue))
    {
        if (!memory)
            throw std::bad_alloc();
    }
    ~Memory()
    {
        sycl::free(memory, owner.queue);
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
};
} // namespace

int sycl_self_test(const SyclDevice &device, bool soft_division, VqxError *error)
{
    const SyclKernel kernel =
        (soft_division ? sycl_kernels_32_soft : sycl_kernels_32)("probe", 0, false);
    SyclQueue queue(device.device);
    std::vector<std::uint32_t> operands(VQX_PROBE_OPERAND_COUNT), results(VQX_PROBE_RESULT_COUNT);
    const std::size_t in_bytes = operands.size() * sizeof operands[0],
                      out_bytes = results.size() * sizeof results[0];
    Memory in(queue, in_bytes), out(queue, out_bytes);
    int status = 0;
    vqx_probe_operands(operands.data());
    queue.queue.memcpy(in.memory, operands.data(), in_bytes);
    for (int i = 0; !status && i < VQX_PROBE_CASES; i++) {
        const VqxProbeCase c = vqx_probe_case(i);
        SyclArguments arguments{};
        arguments.buffer[0] = in.memory;
        arguments.buffer[1] = out.memory;
        arguments.constants = &c.constants;
        arguments.groups[0] = VQX_PROBE_ITEMS / VIF_GROUP;
        arguments.groups[1] = arguments.groups[2] = 1;
        queue.queue.submit([&](sycl::handler &handler) { kernel(handler, arguments); });
        queue.queue.memcpy(results.data(), out.memory, out_bytes);
        queue.finish();
        status = vqx_probe_check(operands.data(), i, results.data(), error);
    }
    return status;
}
