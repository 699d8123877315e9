#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "device/twin/specification.h"
#include "graph/network.h"
#include "sweep/run_executor.h"
#include "sweep/twin/execution.h"

namespace ergon::sweep {

// Executes runs on twins. Every run has a new GPU whose noise depends on the run and the seed only. Results
// do not depend on the order of runs, on parallel runs or on interruptions, and a thousand runs take a
// second.
class SimulatedExecutor final : public RunExecutor {
 public:
  struct Settings {
    std::int64_t batch = 1;
    device::Precision precision = device::Precision::tf32;
    Seconds duration = kDefaultDuration;  // of a steady window, at least
    Seconds warm_up = kDefaultWarmUp;     // before the window
    ExecutionModel execution;
    Timestamp epoch;  // wall time at the start of every run
    std::uint64_t seed = 1;
  };
  struct Candidate {
    std::string name;
    graph::Network network;
  };

  // A network that does not fit gives invalid rows. Errors: a GPU that cannot be simulated.
  static Result<std::unique_ptr<SimulatedExecutor>> open(const device::Specification& gpu,
                                                         const std::vector<Candidate>& networks,
                                                         const Settings& settings);

  const DeviceFacts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override { return clocks_; }
  // Thread-safe.
  Result<RunRow> run(const Run& run, const std::stop_token& stop) override;

 private:
  SimulatedExecutor(const device::Specification& gpu, const Settings& settings);
  Result<> measure(const Run& run, RunRow& row) const;
  Result<> run_steady(const Run& run, profile::TwinBench& bench, RunRow& row) const;
  Result<> run_execution(const Run& run, profile::TwinBench& bench, Random& random, RunRow& row) const;

  device::Specification gpu_;
  Settings settings_;
  DeviceFacts facts_;
  std::vector<Hertz> clocks_;
  // By network name; an error if the network cannot run on this GPU.
  std::map<std::string, Result<ExecutionWork>> work_;
};

}  // namespace ergon::sweep
