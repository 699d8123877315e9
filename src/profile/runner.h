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

// Callbacks and limits of run_plan().
struct PlanRunOptions {
  // Called before a row whose clock differs from that of the previous row. Errors end the run.
  std::function<Result<>(std::optional<Hertz>)> hold_clock;
  // Called before every row, for example to wait for other processes on the device.
  std::function<Result<>()> before_row;
  std::function<void(const Row&)> after_row;
  // Wait for the energy of a row while the next two rows are measured. Faster, but a kill may lose three rows
  // instead of one.
  bool overlap = false;
  std::optional<Seconds> time_limit;  // start no row after this time
  bool any_board = false;             // rows of another device of the same product count as measured
};

struct RunSummary {
  std::map<Status, std::int64_t> rows;
  std::int64_t invalid = 0;           // measured but not valid
  std::int64_t already_measured = 0;  // in the dataset before this run
  std::int64_t not_reached = 0;       // within the time limit

  bool none_valid() const;  // rows were measured, and none of them is valid
};

// Measures the rows that the dataset does not contain and appends them one by one. Errors: device_lost; disk
// full; cancelled. Rows that were finished before are in the dataset.
Result<RunSummary> run_plan(const ProfilePlan& plan, const std::string& device, Profiler& profiler,
                            Dataset& dataset, Clock& clock, const PlanRunOptions& options,
                            const std::stop_token& stop, std::int64_t session);

}  // namespace ergon::profile
