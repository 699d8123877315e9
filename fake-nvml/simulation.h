#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "gpu.h"
#include "record.h"
#include "scenario.h"
#include "shared_log.h"

namespace ergon::fake_nvml {

// The GPUs of a scenario, shared by all processes. Each process replays the shared log into its own twins.
// Twins depend only on the records and the time, so all processes compute the same state.
//
// Not thread-safe.
class Simulation {
 public:
  static Result<Simulation> open(Scenario scenario, const std::filesystem::path& state);

  const Scenario& scenario() const { return scenario_; }

  // Replays new records up to now. Closes contexts of ended processes, which is checked every 20 ms, or
  // always if `thorough`.
  Result<> refresh(bool thorough = false);
  // At the last refresh().
  std::int64_t now_ns() const { return now_ns_; }
  Timestamp wall_time(std::int64_t time_ns) const { return {log_.began().ns + time_ns}; }
  std::size_t size() const { return gpus_.size(); }
  // Contract: index < size().
  Gpu& gpu(std::size_t index);

  // Appends a record with the current time to the log and applies it. Errors: a load that the GPU cannot run;
  // the log cannot be written.
  Result<> commit(Record record);
  // Advances manual time by up to one day. Errors: time is not manual.
  Result<> advance(std::int64_t by_ns);
  // Starts a new simulation at time 0.
  Result<> restart();

 private:
  Simulation(Scenario scenario, SharedLog log) : scenario_(std::move(scenario)), log_(std::move(log)) {}

  Result<> replay(const SharedLog::LogUpdate& update);
  Result<> replay(const Record& record);
  void make_gpus();
  Result<> close_orphaned_contexts(bool thorough);

  Scenario scenario_;
  SharedLog log_;
  std::vector<Gpu> gpus_;
  std::int64_t now_ns_ = 0;
  std::int64_t checked_ns_ = 0;  // when ended processes were last checked (machine clock)
  std::optional<Error> broken_;  // the log is invalid; reset by a new simulation
};

}  // namespace ergon::fake_nvml
