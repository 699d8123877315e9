#pragma once

#include <string>
#include <vector>

#include "allocate/hardware.h"
#include "allocate/runtime/schedule_file.h"
#include "allocate/schedule.h"

namespace ergon::allocate {

// The hardware with a share of the memory bandwidth, when other programs use the rest. SCALE-Sim timings use
// whole words per cycle, so the bandwidth is rounded up.
Hardware with_share(const Hardware& hardware, double share);

// Makes the schedule file for a runtime. The first row of every layer is the given schedule. The rows for
// other shares minimize energy individually under two conditions that allow any mixture of rows: at its share
// a layer is not slower than its first row by more than `tolerance`, and it starts and ends at the clocks of
// its first row. Contract: shares descend from 1.
struct ScheduleFileSettings {
  std::vector<double> shares = {1, 0.75, 0.5, 0.25};
  double tolerance = 0.002;
};
schedule::File make_schedule_file(const std::string& network, const Hardware& hardware,
                                  const Schedule& schedule, const ScheduleFileSettings& settings = {});

// Text in the format of schedule_file.h.
std::string to_text(const schedule::File& file);

}  // namespace ergon::allocate
