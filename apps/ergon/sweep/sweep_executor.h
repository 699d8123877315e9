#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profile/test_bench/test_bench.h"
#include "shell.h"
#include "sweep/experiment.h"
#include "sweep/run_executor.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

// The executor of a sweep, with the objects that it uses.
class SweepExecutor {
 public:
  // `settings.device` is a GPU of this machine or a twin, by name or .json file. Errors: an unknown device;
  // no CUDA; clocks to lock without --allow-control.
  static Result<std::unique_ptr<SweepExecutor>> open(const SweepSettings& settings,
                                                     const sweep::Experiment& experiment,
                                                     std::vector<profile::LoadedNetwork> candidates,
                                                     Shell& shell);

  sweep::RunExecutor& executor() { return *executor_; }
  // Data types of the networks that the device or the twin replaces by another one.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  SweepExecutor() = default;

  std::unique_ptr<profile::TestBench> bench_;  // of a GPU; outlives the executor
  std::unique_ptr<sweep::RunExecutor> executor_;
  std::vector<std::string> warnings_;
};

}  // namespace ergon::app
