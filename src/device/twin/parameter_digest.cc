#include "device/twin/parameter_digest.h"

#include <iterator>

#include <fmt/format.h>

#include "base/digest.h"
#include "device/twin/parameters.h"

namespace ergon::device {

std::string parameter_digest(const Specification& gpu) {
  std::string text;
  // Ten digits: more than a file has, fewer than conversions between units change.
  const auto add = [&](std::string_view name, double value) {
    fmt::format_to(std::back_inserter(text), "{}={:.10g}\n", name, value);
  };
  for (const Parameter& each : parameters()) {
    if (each.path.starts_with("energy_counter.")) continue;
    add(each.path, each.read(gpu));
  }
  for (const auto& point : gpu.memory.over_clock.points) {
    add("bandwidth clock", point.clock.si());
    add("bandwidth share", point.share);
  }
  return digest(text);
}

}  // namespace ergon::device
