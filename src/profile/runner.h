#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>

#include "profile/dataset.h"
#include "profile/plan.h"
#include "profile/profiler.h"

namespace ergon::profile {

// What surrounds the measuring of a plan.
struct Surrounding {
  // Called before a row whose clock differs from the last one's. Errors end the run.
  std::function<Result<>(std::optional<Hertz>)> hold_clock;
  // Called before every row; may wait for others to leave the device.
  std::function<Result<>()> before_row;
  std::function<void(const Row&)> after_row;
  // Energy settles while the next two rows are measured: faster, and a kill may lose three rows instead of
  // one.
  bool overlap = false;
  std::optional<Seconds> limit;  // begin no row after so long
  bool any_board = false;        // what another device of the same product has measured counts
};

struct RunSummary {
  std::map<Status, std::int64_t> rows;
  std::int64_t invalid = 0;  // measured, with something that speaks against it
  std::int64_t known = 0;    // were in the dataset already
  std::int64_t left = 0;     // not reached within the limit
};

// Measures what a dataset does not hold yet, and appends row by row. Errors: the device is lost, the disk is
// full, somebody asked to stop; what is finished by then is in the dataset.
Result<RunSummary> run_plan(const Plan& plan, const std::string& device, Profiler& profiler, Dataset& dataset,
                            Clock& clock, const Surrounding& around, const std::stop_token& stop,
                            std::int64_t session);

}  // namespace ergon::profile
