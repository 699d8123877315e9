#pragma once

#include <set>
#include <string>
#include <vector>

#include "device/twin/steady.h"
#include "predict/composition.h"
#include "predict/forest.h"
#include "predict/model.h"
#include "predict/placed_task.h"

namespace ergon::predict {

// A job on one chip, whatever its clock: its tasks placed, and what is known of each.
struct PlacedJob {
  std::vector<PlacedTask> tasks;
  std::vector<Part> parts;  // of each task
};

PlacedJob place(const Job& job, const device::Specification& gpu, const HostCosts& hosts);

// What was learned of operations, and from which.
struct Lessons {
  const Forest& time;
  const Forest& power;
  std::set<std::string> kinds;
  const KnownOperations& operations;
};

// Adds what forests say of every task, at the GPU's own clock and usual limit. Of kinds that they never saw
// they know nothing: there physics stands as it is.
void learn(PlacedJob& placed, const Job& job, const device::Specification& gpu, const Lessons& lessons);

// One iteration at a clock, kernels only, each as much slower or faster than physics says as is believed.
device::Activity activity_of(const PlacedJob& placed, const Trust& trust, const device::Specification& gpu,
                             Hertz clock);

Seconds host_time(const PlacedJob& placed);

// What a twin knows of its host.
HostCosts usual_hosts(const device::Specification& gpu);

}  // namespace ergon::predict
