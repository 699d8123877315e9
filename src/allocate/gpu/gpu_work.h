#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "allocate/gpu/sequence.h"
#include "base/result.h"
#include "device/twin/steady.h"

namespace ergon::allocate {

// How a network is to run on a GPU.
struct GpuSettings {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::optional<Watts> limit;          // else the GPU's usual one
  std::optional<Hertz> clock_step;     // clocks are at least this far apart; else all that the GPU has
  std::optional<Seconds> switch_time;  // a change of clock takes this; else what the GPU's file says
};

struct GpuStep {
  std::string name;  // of the layer
  std::string kind;  // "conv", "batch_norm"
  Pass pass = Pass::forward;
  std::size_t alike = 0;                         // steps with the same number cost the same
  device::Bound bound = device::Bound::compute;  // at the highest clock
};

struct StepCost {
  Seconds time;
  Joules energy;
};

// The operations of one iteration in their order, and what each costs at any clock, by the twin.
//
// The host is left out: kernels follow each other without a gap, as from a CUDA graph. Power is the twin's at
// one temperature, the one at which race to idle settles: a schedule that saves makes the chip a little
// cooler than that, and leaks a little less. The power limit decides only which clocks there are: none above
// the one that race to idle settles at under the limit. While the clock changes nothing runs, and the GPU
// draws what it draws with a context open at the highest of these clocks.
class GpuWork {
 public:
  // Errors: as device::estimate(), and a network that launches nothing.
  static Result<GpuWork> of(const graph::Network& network, const device::Specification& gpu,
                            const GpuSettings& settings);

  const device::Specification& gpu() const { return gpu_; }
  const device::Workload& workload() const { return workload_; }
  const device::Load& load() const { return load_; }
  const std::vector<GpuStep>& steps() const { return steps_; }

  // Ascending; the last is race to idle's.
  const std::vector<Hertz>& clocks() const { return clocks_; }
  Hertz top() const { return clocks_.back(); }
  bool limited() const { return top() < gpu_.core.most; }
  Celsius temperature() const { return temperature_; }

  Seconds switch_time() const { return switch_time_; }
  Watts switch_power() const { return device::resident_power(gpu_, top(), temperature_); }

  // At one of clocks().
  StepCost at_level(std::size_t step, std::size_t level) const {
    return costs_[steps_[step].alike * clocks_.size() + level];
  }
  // At any clock.
  StepCost at(std::size_t step, Hertz clock) const { return cost_of(steps_[step].alike, clock); }
  // The lowest clock, not only of clocks(), at which a step takes no longer than `allowed`.
  Hertz slowest(std::size_t step, Seconds allowed) const;

 private:
  GpuWork(device::Workload workload, const device::Specification& gpu);

  void place(const graph::Network& network, const std::vector<Launch>& launches);
  void choose_clocks(const GpuSettings& settings);
  device::Activity activity_of(std::size_t alike, Hertz clock) const;
  StepCost cost_of(std::size_t alike, Hertz clock) const;

  device::Specification gpu_;
  device::Workload workload_;
  device::Load load_;
  std::vector<GpuStep> steps_;
  std::vector<device::OperationLoad> alike_;
  std::vector<Hertz> clocks_;
  std::vector<StepCost> costs_;  // of each alike at each of clocks_
  Celsius temperature_;
  Seconds switch_time_;
};

}  // namespace ergon::allocate
