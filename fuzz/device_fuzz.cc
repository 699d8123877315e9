// Device files. Whatever the text is, it is refused in words or read; a twin that was read gives finite
// answers.

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "device/twin/catalogue.h"
#include "device/twin/steady.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  using namespace ergon::device;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto gpu = parse_specification(text, "fuzz");
  if (!gpu) return gpu.error().message.empty() ? (std::abort(), 0) : 0;
  Workload work;
  Operation operation;
  Kernel product;
  product.kind = KernelKind::product;
  product.product = {512, 512, 512, 1};
  product.flops = 2.0 * 512 * 512 * 512;
  product.traffic = Bytes{3e6};
  Kernel stream;
  stream.traffic = Bytes{1e8};
  operation.forward = {product, stream};
  work.operations = {operation};
  for (const Precision precision : all_precisions()) {
    work.precision = precision;
    const SteadyState state = steady_state(Load(work, *gpu), *gpu, {});
    const bool fine = std::isfinite(state.power.si()) && state.power.si() > 0 &&
                      std::isfinite(state.activity.time.si()) && state.activity.time.si() > 0 &&
                      state.clock >= gpu->core.least && state.clock <= gpu->core.most;
    if (!fine) std::abort();
  }
  return 0;
}
