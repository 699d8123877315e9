#pragma once

#include <string>
#include <vector>

#include "allocate/hardware.h"
#include "allocate/runtime/schedule_file.h"
#include "allocate/schedule.h"

namespace ergon::allocate {

// What is left of the hardware when others take a part of the memory's bandwidth. SCALE-Sim's timings know
// whole words a cycle only, so a share is rounded up to them.
Hardware with_share(const Hardware& hardware, double share);

// The plan for a run-time. The first row of every layer is the given schedule. The rows for other shares take
// least energy, each by itself under two conditions that make any mixture of rows a good plan: at its share a
// layer is not later than its first row would be (by more than `tolerance`), and it begins and ends at the
// clocks at which its first row begins and ends, changes of clock in between included. Contract: shares fall,
// the first is 1.
struct BookSettings {
  std::vector<double> shares = {1, 0.75, 0.5, 0.25};
  double tolerance = 0.002;
};
schedule::File make_book(const std::string& network, const Hardware& hardware, const Schedule& schedule,
                         const BookSettings& settings = {});

// As schedule_file.h reads it.
std::string to_text(const schedule::File& file);

}  // namespace ergon::allocate
