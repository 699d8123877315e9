#include "predict/tune/operating_point.h"

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::predict {

std::string throughput_text(SamplesPerSecond throughput) {
  constexpr double kWhole = 1000;
  return throughput.si() < kWhole ? fmt::format("{:.4g}/s", throughput.si())
                                  : fmt::format("{:.0f}/s", throughput.si());
}

std::string point_text(const OperatingPoint& point) {
  return fmt::format("{}, batch {}, {}, limit {}", point.device, point.batch,
                     point.clock ? to_text(*point.clock) : "default clock", to_text(point.limit));
}

}  // namespace ergon::predict
