#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// What an operating point has to keep, by what is expected of it.
struct Bounds {
  std::optional<Seconds> latency;              // of an iteration, at most
  std::optional<SamplesPerSecond> throughput;  // at least
  std::optional<Watts> power;                  // at most, while it runs
};

enum class BoundKind : std::uint8_t { latency, throughput, power };
std::vector<BoundKind> given(const Bounds& bounds);
// "latency at most 20 ms".
std::string bound_text(BoundKind kind, const Bounds& bounds);

// How many times a point is beyond a bound: 1 is just kept, 2 twice the latency or half the throughput.
// Contract: the bound is given.
double excess(BoundKind kind, const Bounds& bounds, const OperatingPoint& point);
bool keeps(const OperatingPoint& point, const Bounds& bounds);

// Why no point keeps all bounds.
struct Blockade {
  // What a bound can be met with at best.
  struct Obstacle {
    BoundKind bound = BoundKind::latency;
    OperatingPoint best;
  };
  // True: each of the obstacles cannot be met, whatever the other bounds. False: each could be met by itself,
  // and the best is that among points that keep the others.
  bool hopeless = false;
  std::vector<Obstacle> obstacles;
  OperatingPoint nearest;  // that with the least of its largest excesses; the first of equals

  std::string text(const Bounds& bounds) const;
};

// Contract: there are points, and none keeps the bounds.
Blockade blockade_of(std::span<const OperatingPoint> points, const Bounds& bounds);

}  // namespace ergon::predict
