#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "device/twin/specification.h"
#include "graph/network.h"
#include "sweep/bench.h"
#include "sweep/twin/execution.h"

namespace ergon::sweep {

// A twin as a bench, or rather as many as one likes: every run has a GPU of its own that has done nothing
// before, and whose noise depends on the run and the seed alone. So runs do not depend on their order, on
// what ran beside them or on how often a sweep was interrupted, and a thousand of them take a second.
class SimulatedBench final : public Bench {
 public:
  struct Settings {
    std::int64_t batch = 1;
    device::Precision precision = device::Precision::tf32;
    Seconds time{1};       // of a steady window, at least
    Seconds warm_up{0.2};  // before it
    ExecutionModel execution;
    Timestamp epoch;  // when a run begins, on the wall
    std::uint64_t seed = 1;
  };
  struct Candidate {
    std::string name;
    graph::Network network;
  };

  // Networks that do not fit are found out run by run. Errors: a GPU that cannot be simulated.
  static Result<std::unique_ptr<SimulatedBench>> open(const device::Specification& gpu,
                                                      const std::vector<Candidate>& networks,
                                                      const Settings& settings);

  const Facts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override { return clocks_; }
  // May be called by several threads at once.
  Result<RunRow> run(const Run& run, const std::stop_token& stop) override;

 private:
  SimulatedBench(const device::Specification& gpu, const Settings& settings);
  Result<> carry_out(const Run& run, RunRow& row) const;
  Result<> run_steady(const Run& run, profile::TwinBench& bench, RunRow& row) const;
  Result<> run_execution(const Run& run, profile::TwinBench& bench, Random& random, RunRow& row) const;

  device::Specification gpu_;
  Settings settings_;
  Facts facts_;
  std::vector<Hertz> clocks_;
  // By name; an error where a network cannot be run here.
  std::map<std::string, Result<ExecutionWork>> work_;
};

}  // namespace ergon::sweep
