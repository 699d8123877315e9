#pragma once

#include <vector>

#include "device/twin/steady.h"
#include "predict/task.h"

namespace ergon::predict {

// A task on one chip, whatever its clock: the physical estimate that learned corrections refer to.
class PlacedTask {
 public:
  PlacedTask(const Task& task, device::Precision precision, const device::Specification& gpu);

  // Of one occurrence, kernel after kernel, with a host that never holds anything up.
  device::Activity at(Hertz clock, const device::Specification& gpu) const;
  const std::vector<device::Demand>& demands() const { return demands_; }

 private:
  std::vector<device::Demand> demands_;
};

// Where a chip settles while it repeats something: below the clock that was asked for if it would draw more
// than its limit.
struct Settled {
  Hertz clock;
  device::Activity activity;
  Watts power;
};
Settled settle(const PlacedTask& task, const device::Specification& gpu, Hertz asked, Watts limit);

}  // namespace ergon::predict
