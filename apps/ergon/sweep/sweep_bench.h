#pragma once

#include <memory>
#include <vector>

#include "profile/test_bench.h"
#include "shell.h"
#include "sweep/bench.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

// The bench that a sweep was asked for, with what it stands on.
class SweepBench {
 public:
  // A GPU of this machine, or otherwise a twin, by name or .json file. Errors: none of that name; no CUDA,
  // and what runs instead; clocks to be locked without the permission to.
  static Result<std::unique_ptr<SweepBench>> open(const SweepSettings& settings,
                                                  std::vector<profile::Candidate> candidates, Shell& shell);

  sweep::Bench& bench() { return *bench_; }

 private:
  SweepBench() = default;

  std::unique_ptr<TestBench> machine_;  // of a real device; outlives the bench
  std::unique_ptr<sweep::Bench> bench_;
};

}  // namespace ergon::app
