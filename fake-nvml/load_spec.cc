#include "load_spec.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "device/twin/kernel.h"
#include "graph/zoo/zoo.h"

namespace ergon::fake_nvml {

Result<device::Precision> parse_precision(std::string_view text) {
  if (const auto precision = device::precision_named(text)) return *precision;
  return fail(Errc::unknown_name, "unknown precision \"{}\"; expected fp32, tf32, bf16 or fp16",
              printable(text));
}

Result<graph::Mode> parse_mode(std::string_view text) {
  if (text == "inference") return graph::Mode::inference;
  if (text == "training") return graph::Mode::training;
  return fail(Errc::unknown_name, "unknown mode \"{}\"; expected inference or training", printable(text));
}

std::string to_text(const LoadSpec& load) {
  return fmt::format("{} at batch {}, {}, {}", load.network, load.batch, device::name_of(load.precision),
                     name_of(load.mode));
}

Result<PlacedLoad> place_load(const LoadSpec& name, const device::Specification& gpu) {
  const auto entry = graph::zoo::find(name.network);
  if (!entry) return entry.error();
  const auto network = graph::zoo::build(**entry);
  if (!network) return network.error();
  const auto workload = device::workload_of(*network, name.batch, name.mode, name.precision);
  if (!workload) return workload.error();
  const Bytes memory = workload->memory() + kContextMemory;
  if (memory > gpu.memory.capacity) {
    return fail(Errc::invalid_input, "{} needs {} of memory; {} has {}", to_text(name),
                ergon::to_text(memory), gpu.name, ergon::to_text(gpu.memory.capacity));
  }
  return PlacedLoad{std::make_shared<const device::Load>(*workload, gpu), memory};
}

}  // namespace ergon::fake_nvml
