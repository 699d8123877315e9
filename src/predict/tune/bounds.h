#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// Requirements on an operating point, compared with predicted values (not with intervals).
struct Bounds {
  std::optional<Seconds> latency;              // max, per iteration
  std::optional<SamplesPerSecond> throughput;  // min
  std::optional<Watts> power;                  // max
};

enum class BoundKind : std::uint8_t { latency, throughput, power };
std::vector<BoundKind> given(const Bounds& bounds);
// "latency at most 20 ms".
std::string bound_text(BoundKind kind, const Bounds& bounds);

// Factor by which a point exceeds a bound: 1 just meets it, 2 is twice the latency or half the throughput.
// Contract: the bound is present.
double excess(BoundKind kind, const Bounds& bounds, const OperatingPoint& point);
bool meets(const OperatingPoint& point, const Bounds& bounds);

// Why no operating point meets all bounds.
struct Infeasibility {
  struct UnmetBound {
    BoundKind bound = BoundKind::latency;
    OperatingPoint best;  // closest to this bound
  };
  // True: no point meets any of the bounds in `unmet`, even without the other bounds. False: each bound can
  // be met, but not all together; `best` is then taken from points that meet the other bounds.
  bool individually_infeasible = false;
  std::vector<UnmetBound> unmet;
  OperatingPoint nearest;  // smallest maximum excess; the first of several

  std::string text(const Bounds& bounds) const;
};

// Contract: `points` is not empty, and no point meets the bounds.
Infeasibility infeasibility_of(std::span<const OperatingPoint> points, const Bounds& bounds);

}  // namespace ergon::predict
