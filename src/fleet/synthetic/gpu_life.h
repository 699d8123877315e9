#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/twin/operating_point.h"
#include "fleet/synthetic/board.h"
#include "fleet/synthetic/draws.h"
#include "fleet/synthetic/host_life.h"

namespace ergon::fleet::synthetic {

// What a twin's sensor makes of power, in whole nanoseconds.
struct PowerSensor {
  explicit PowerSensor(const device::SensorModel& model);

  std::int64_t period_ns, window_ns;
  double gain;
  Watts offset, noise;
};

// What a GPU does until something changes.
struct GpuPhase {
  Instant begin;
  const device::OperatingPoint* point = nullptr;  // of the board
  const Rendering* rendering = nullptr;           // nothing while no kernels run
};

// The phases of one GPU in order, from its host's tasks: bare; with a context open, from the middle of the
// preparation until the picture is cut into tiles; and bursts of kernels, each at its own level.
class GpuPhases {
 public:
  // `gpu` counts the GPUs of the fleet.
  GpuPhases(const Plan& plan, std::uint64_t host, std::uint64_t gpu, HostLife life, const Board& board);

  // Nothing when no more follows.
  std::optional<GpuPhase> next();

 private:
  enum class Step : std::uint8_t { wake, kernels, wait, sleep };

  const Board* board_;
  std::uint64_t seed_, gpu_;
  HostLife life_;
  std::optional<RenderTask> task_;
  Step step_ = Step::wake;
  Instant burst_;
  Draws draws_;
};

// A GPU as it lives through its phases. Heat and energy have closed forms within a phase (the twin's
// Stretch), so that any moment can be asked for, and nothing needs to be kept but the last few phases.
class GpuLife {
 public:
  GpuLife(std::shared_ptr<const Board> board, const GpuPhases& phases);

  // Contract: moments in ascending order.
  void advance(Instant moment);

  // At the moment that was reached.
  Celsius temperature() const { return stretch().at(now_).temperature; }
  const Rendering* rendering() const { return rendering_; }
  Watts true_power() const { return stretch().point.power_at(temperature()); }
  // As the sensor's last update says, before its noise: the mean of the power over the window that ended
  // there.
  Watts seen(const PowerSensor& sensor) const;

 private:
  static constexpr std::size_t kKept = 4;

  const device::Stretch& stretch() const { return last_[newest_]; }
  Joules energy_at(Instant moment) const;

  std::shared_ptr<const Board> board_;
  GpuPhases phases_;
  std::optional<GpuPhase> next_;
  std::array<device::Stretch, kKept> last_;
  std::size_t newest_ = 0;
  const Rendering* rendering_ = nullptr;
  Instant now_;
};

}  // namespace ergon::fleet::synthetic
