#include "predict/tune/operating_point.h"

#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::predict {

std::string throughput_text(SamplesPerSecond throughput) {
  constexpr double kWhole = 1e4;  // from here on all digits before the point
  return (throughput.si() < kWhole ? grouped_text(throughput.si())
                                   : grouped_digits(std::llround(throughput.si()))) +
         "/s";
}

std::string point_text(const OperatingPoint& point) {
  return fmt::format("{}, batch {}, {}, limit {}", point.device, point.batch,
                     point.clock ? to_text(*point.clock) : "default clock", to_text(point.limit));
}

}  // namespace ergon::predict
