#pragma once

// Holds a power cap over a loop of the caller, which runs the batches itself.
//
//   auto loop = ergon::CapLoop::start(gpu, {.batches = {1, 2, 4, 8, 16, 32}}, 400_W);
//   while (serving()) {
//     loop->begin_batch();
//     run_batch(loop->point().batch);
//     if (auto ended = loop->end_batch(); !ended) return ended.error();
//   }

#include <memory>
#include <optional>
#include <stop_token>

#include "ergon/cap.h"
#include "ergon/device.h"
#include "ergon/export.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

struct CapLoopOptions {
  ControllerOptions controller = {};     // max_power is the board's highest power limit, if it is known
  std::optional<Watts> idle_power = {};  // with the model loaded and no work; absent: measured for a second
};

// The device's power is read in the background. A CapController chooses the operating points; the power and
// duration of several batches are measured for each decision. The caller locks the clock of point(), if the
// operating points have clocks. Not thread-safe.
class ERGON_API CapLoop {
 public:
  // Errors: those of CapController::make() and Meter::start(); a device without power readings; a cap below
  // idle power.
  static Result<CapLoop> start(const Device& device, const OperatingPoints& points, Watts cap,
                               const CapLoopOptions& options = {}, const std::stop_token& stop = {});

  CapLoop(CapLoop&&) noexcept;
  CapLoop& operator=(CapLoop&&) noexcept;
  ~CapLoop();

  // Operating point of the next batch.
  const BatchAndClock& point() const;
  Watts cap() const;
  Watts idle_power() const;
  // From the next decision on. Errors: a cap below idle power; the previous one stays in force.
  Result<> set_cap(Watts cap);

  // Begins a batch at point(). The device must have completed earlier work.
  void begin_batch();
  // Ends the batch, when the device has completed it, and decides if enough was measured. Errors:
  // invalid_input without begin_batch(); device_lost.
  Result<> end_batch();

  // Decisions and statistics so far.
  CapResult result() const;

 private:
  struct State;
  explicit CapLoop(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace ergon
