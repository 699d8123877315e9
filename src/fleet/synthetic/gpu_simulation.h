#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/twin/operating_point.h"
#include "fleet/synthetic/board.h"
#include "fleet/synthetic/random_stream.h"
#include "fleet/synthetic/task_stream.h"

namespace ergon::fleet::synthetic {

// Power sensor of a twin, with times in nanoseconds.
struct PowerSensor {
  explicit PowerSensor(const device::SensorModel& model);

  std::int64_t period_ns, window_ns;
  double gain;
  Watts offset, noise;
};

// A time span in which a GPU has one operating point.
struct GpuPhase {
  Instant begin;
  const device::OperatingPoint* point = nullptr;  // of the board
  const Rendering* rendering = nullptr;           // null while no kernel runs
};

// The phases of one GPU in order of time, from the tasks of its host: no context; an open context, from the
// middle of preparation until the image is cut into tiles; bursts of kernels at random ray levels.
class GpuPhases {
 public:
  // `gpu` is the index on the host.
  GpuPhases(const FleetPlan& plan, std::uint64_t host, std::uint64_t gpu, TaskStream life,
            const Board& board);

  // Absent after the last phase.
  std::optional<GpuPhase> next();

 private:
  enum class Step : std::uint8_t { wake, kernels, wait, sleep };

  const Board* board_;
  std::uint64_t seed_, gpu_;
  TaskStream life_;
  std::optional<RenderTask> task_;
  Step step_ = Step::wake;
  Instant burst_;
  RandomStream random_;
};

// Simulates a GPU through its phases. Temperature and energy have closed forms within a phase (the twin's
// OperatingPhase), so any time can be evaluated and only the last few phases are stored.
class GpuSimulation {
 public:
  GpuSimulation(std::shared_ptr<const Board> board, const GpuPhases& phases);

  // Contract: times ascend.
  void advance(Instant moment);

  // State at the time of the last advance().
  Celsius temperature() const { return stretch().at(now_).temperature; }
  const Rendering* rendering() const { return rendering_; }
  Watts true_power() const { return stretch().point.power_at(temperature()); }
  // Reading of the sensor without noise: mean power over the window that ended at its last update.
  Watts sensor_power(const PowerSensor& sensor) const;

 private:
  static constexpr std::size_t kKept = 4;

  const device::OperatingPhase& stretch() const { return last_[newest_]; }
  Joules energy_at(Instant moment) const;

  std::shared_ptr<const Board> board_;
  GpuPhases phases_;
  std::optional<GpuPhase> next_;
  std::array<device::OperatingPhase, kKept> last_;
  std::size_t newest_ = 0;
  const Rendering* rendering_ = nullptr;
  Instant now_;
};

}  // namespace ergon::fleet::synthetic
