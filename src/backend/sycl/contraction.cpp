/*
 * Asks a SYCL compiler, with the flags that the backend is built with, whether it keeps a product
 * and a sum apart. Built and run when the build is configured; a compiler that fuses them is refused.
 *
 * Every device that is there computes a * b + c, written with operators. What it must be is known
 * without trusting the compiler: the product of two f32 is exact in f64, and a volatile keeps its
 * rounding from being fused with the sum.
 *
 * Exit status: 0 all devices round twice; 1 one does not, and which is said; 77 there is no device.
 */
#include <cstdint>
#include <cstdio>
#include <exception>
#include <sycl/sycl.hpp>
#include <vector>

static const std::size_t items = 4096, group = 64;

struct MultiplyAdd {
    const float *operands;
    float *results;
    void operator()(sycl::nd_item<3> at) const
    {
        const std::size_t i = at.get_group(2) * group + at.get_local_id(2);
        results[i] = operands[3 * i] * operands[3 * i + 1] + operands[3 * i + 2];
    }
};

static std::vector<float> make_operands()
{
    std::vector<float> r(3 * items);
    std::uint64_t state = 1;
    for (float &x : r) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = 1.0f + static_cast<float>(state >> 41) / 8388608.0f;
    }
    return r;
}

static float expected(const float *operand)
{
    volatile float product = static_cast<float>(static_cast<double>(operand[0]) * operand[1]);
    return product + operand[2];
}

/* How many results of the device are not rounded twice. */
static std::size_t fused(const sycl::device &device)
{
    const std::vector<float> operands = make_operands();
    std::vector<float> results(items);
    sycl::queue queue(device,
                      [](sycl::exception_list list) { std::rethrow_exception(*list.begin()); },
                      {sycl::property::queue::in_order{}});
    void *in = sycl::malloc_device(3 * items * sizeof(float), queue);
    void *out = sycl::malloc_device(items * sizeof(float), queue);
    const MultiplyAdd kernel = {static_cast<const float *>(in), static_cast<float *>(out)};
    queue.memcpy(in, operands.data(), 3 * items * sizeof(float));
    queue.submit([&](sycl::handler &handler) {
        handler.parallel_for(sycl::nd_range<3>({1, 1, items}, {1, 1, group}), kernel);
    });
    queue.memcpy(results.data(), out, items * sizeof(float));
    queue.wait_and_throw();
    sycl::free(in, queue);
    sycl::free(out, queue);

    std::size_t count = 0;
    for (std::size_t i = 0; i < items; i++)
        count += results[i] != expected(&operands[3 * i]);
    return count;
}

int main()
{
    bool ran = false;
    try {
        for (const sycl::device &device : sycl::device::get_devices()) {
            if (!device.has(sycl::aspect::usm_device_allocations))
                continue;
            const std::string name = device.get_info<sycl::info::device::name>();
            const std::size_t count = fused(device);
            if (count) {
                std::printf("%zu of %zu products and sums are fused on %s\n", count, items,
                            name.c_str());
                return 1;
            }
            std::printf("%zu products and sums rounded twice on %s\n", items, name.c_str());
            ran = true;
        }
    } catch (const std::exception &e) {
        std::printf("a SYCL device fails: %s\n", e.what());
        return 2;
    }
    if (!ran)
        std::printf("SYCL's runtime finds no device\n");
    return ran ? 0 : 77;
}
