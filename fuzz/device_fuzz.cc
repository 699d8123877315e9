// Device files. Any text is either rejected with a message or parsed; a parsed twin gives finite results.

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "device/twin/catalog.h"
#include "device/twin/parameter_digest.h"
#include "device/twin/steady_state.h"
#include "fuzz/json_mutator.h"

// The file has a digest of its parameters beside the accuracy that they were fitted with.
void ergon::fuzz::repair_document(nlohmann::ordered_json& file) {
  using Json = nlohmann::ordered_json;
  if (!file.is_object() || !file.contains("calibration") || !file["calibration"].is_object()) return;
  const auto gpu =
      device::parse_specification(file.dump(-1, ' ', false, Json::error_handler_t::replace), "fuzz");
  if (gpu) file["calibration"]["parameters"] = device::parameter_digest(*gpu);
}

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
