// Device files. Any text is either rejected with a message or parsed; a parsed twin gives finite results.

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "device/twin/catalog.h"
#include "device/twin/steady_state.h"

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
  for (const Precision precision : kPrecisions) {
    work.precision = precision;
    const SteadyState state = steady_state(Load(work, *gpu), *gpu, {});
    const bool fine = std::isfinite(state.power.si()) && state.power.si() > 0 &&
                      std::isfinite(state.activity.time.si()) && state.activity.time.si() > 0 &&
                      state.clock >= gpu->core.min && state.clock <= gpu->core.max;
    if (!fine) std::abort();
  }
  return 0;
}
