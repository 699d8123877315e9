#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/gpu/sequence.h"
#include "base/result.h"
#include "device/twin/steady_state.h"

namespace ergon::allocate {

// Run parameters of a network on a GPU.
struct GpuSettings {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::optional<Watts> power_limit;    // default: the board's
  std::optional<Hertz> clock_step;     // minimum distance of clocks; default: all clocks of the GPU
  std::optional<Seconds> switch_time;  // duration of a clock change; default: from the device file
};

struct GpuStep {
  std::string name;  // layer
  std::string kind;  // "conv", "batch_norm"
  Pass pass = Pass::forward;
  std::size_t group = 0;                         // steps of the same group have equal costs
  device::Bound bound = device::Bound::compute;  // at the highest clock
};

struct StepCost {
  Seconds time;
  Joules energy;
};

// What the times of GpuWork leave out, for reports.
inline constexpr std::string_view kNoLaunchOverhead =
    "Launch overhead is ignored: kernels run back to back, as in a CUDA graph.";

// The operations of one iteration in execution order, with time and energy of each at any clock, from the
// twin.
//
// Launch overhead of the host is ignored (kNoLaunchOverhead). Power is evaluated at one temperature,
// the steady state of race to idle; a schedule that saves energy runs slightly cooler and leaks slightly
// less. The power limit only removes clocks above the steady-state clock of race to idle under that limit.
// During a switch nothing runs and the GPU draws its power with an open context at the highest clock.
class GpuWork {
 public:
  // Errors: those of device::estimate(); a network without kernels.
  static Result<GpuWork> of(const graph::Network& network, const device::Specification& gpu,
                            const GpuSettings& settings);

  const device::Specification& gpu() const { return gpu_; }
  const device::Workload& workload() const { return workload_; }
  const device::Load& load() const { return load_; }
  const std::vector<GpuStep>& steps() const { return steps_; }
  // Data types that the twin does not model or the GPU does not support.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Ascending; the last one is used by race to idle.
  const std::vector<Hertz>& clocks() const { return clocks_; }
  Hertz top() const { return clocks_.back(); }
  bool limited() const { return top() < gpu_.core.max; }
  Celsius temperature() const { return temperature_; }

  Seconds switch_time() const { return switch_time_; }
  Watts switch_power() const { return device::resident_power(gpu_, top(), temperature_); }

  // Cost at an index into clocks().
  StepCost at_level(std::size_t step, std::size_t level) const {
    return costs_[steps_[step].group * clocks_.size() + level];
  }
  // Cost at an arbitrary clock.
  StepCost at(std::size_t step, Hertz clock) const { return cost_of(steps_[step].group, clock); }
  // The lowest clock, not restricted to clocks(), at which a step takes at most `allowed`.
  Hertz min_clock(std::size_t step, Seconds allowed) const;

 private:
  GpuWork(device::Workload workload, const device::Specification& gpu);

  void add_steps(const graph::Network& network, const std::vector<StepLaunch>& launches);
  void choose_clocks(const GpuSettings& settings);
  device::Activity activity_of(std::size_t group, Hertz clock) const;
  StepCost cost_of(std::size_t group, Hertz clock) const;

  device::Specification gpu_;
  device::Workload workload_;
  device::Load load_;
  std::vector<GpuStep> steps_;
  std::vector<device::OperationLoad> groups_;
  std::vector<Hertz> clocks_;
  std::vector<StepCost> costs_;  // of each group at each of clocks_
  Celsius temperature_;
  Seconds switch_time_;
  std::vector<std::string> warnings_;
};

}  // namespace ergon::allocate
