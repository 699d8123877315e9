#pragma once

// Holds a power cap at the highest throughput, by choosing the batch size and the clock of a running network.
//
// A CapController is a step function: it never reads a clock, blocks or touches a device. Run batches at the
// point it chose, pass it what was measured, and apply the next point:
//
//   ergon::CapAction action = controller->first(cap);
//   while (serving) {
//     ergon::CapFeedback feedback = run_batches(action.point, controller->decision_interval());
//     feedback.cap = cap;
//     action = controller->step(feedback);
//   }
//
// hold_cap() is this loop with statistics, over a plant of the caller: a class that derives from Plant.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/export.h"
#include "ergon/network.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// An operating point of a running network.
struct BatchAndClock {
  std::int64_t batch = 1;
  std::optional<Hertz> clock = {};  // absent: the default clock (unlocked)

  friend bool operator==(const BatchAndClock&, const BatchAndClock&) = default;
};

// The operating points that a controller may choose: every batch at every clock.
struct OperatingPoints {
  std::vector<std::int64_t> batches = {};  // ascending, distinct, at least one
  std::vector<Hertz> clocks = {};          // ascending; empty: the clock must not be set
};

// Measurements over one decision interval.
struct CapFeedback {
  Seconds duration = {};     // measured time at the point
  BatchAndClock point = {};  // requested and in force
  double samples = 0;        // completed
  // Maximum and mean of the power readings that cover this point; absent: no fresh reading. The controller
  // then returns to the smallest batch at the lowest clock until readings arrive again.
  std::optional<Watts> power = {}, mean_power = {};
  std::optional<Seconds> latency = {};  // the longest batch, or the 99th percentile over requests
  std::optional<Celsius> temperature = {};
  Watts cap = {};  // in force from now on; hold_cap() fills it in
  // Batches were full and back to back. Otherwise power and throughput are below what the point can reach.
  bool saturated = true;
};

// The next operating point and, for the log, the reason.
struct CapAction {
  BatchAndClock point;
  std::string reason;
};

// Duration of one decision: number of batches, and updates of the power sensor beyond its averaging window.
struct DecisionInterval {
  int batches = 10;
  double sensor_updates = 0;
};

// Expected time and power of one batch. Kernel time and launch time of the host overlap; absent if unknown.
struct Expectation {
  Seconds time = {};
  Watts power = {};
  std::optional<Seconds> kernels = {}, host = {};
};
// Expectations before the first measurement, for any batch and clock within the operating points.
using CapPrior = std::function<Expectation(const BatchAndClock&)>;

struct ControllerOptions {
  // "joint" sets batch and clock with a model that it corrects online; "batchsizer+" and "batchsizer" search
  // the batch; "dvfs" searches the clock. controller_names() has all.
  std::string name = "joint";
  std::optional<Seconds> max_latency = {};  // bound on CapFeedback::latency; "joint" only
  CapPrior prior = {};                      // initial model of "joint"; empty: a generic one
  Watts max_power{1000};                    // maximum power of the device; higher readings are implausible
};

ERGON_API std::vector<std::string> controller_names();

// Deterministic: the same feedback in the same order gives the same actions. Not thread-safe.
class ERGON_API CapController {
 public:
  // `idle_power`: with the model loaded and no work. Errors: unknown_name with the nearest name;
  // invalid_input for operating points that are empty or not ascending, or without the clocks that "dvfs"
  // needs.
  static Result<CapController> make(const OperatingPoints& points, Watts idle_power,
                                    const ControllerOptions& options = {});

  CapController(CapController&&) noexcept;
  CapController& operator=(CapController&&) noexcept;
  ~CapController();

  std::string_view name() const;
  DecisionInterval decision_interval() const;
  // The first action, before any feedback. Contract: called once.
  CapAction first(Watts cap);
  // Contract: first() was called, and the point of the feedback is one of the operating points.
  CapAction step(const CapFeedback& feedback);

 private:
  struct State;
  explicit CapController(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// A running network whose batch and clock can be set. Derive from it to let hold_cap() run the loop.
class ERGON_API Plant {
 public:
  virtual ~Plant();

  virtual OperatingPoints operating_points() const = 0;
  // Power with the model loaded and no work: no lower cap can be held.
  virtual Watts idle_power() const = 0;
  // Since any start; real or simulated time.
  virtual Seconds now() const = 0;
  // Sets the operating point, runs for the interval and measures. Errors end the loop.
  virtual Result<CapFeedback> run(const BatchAndClock& point, const DecisionInterval& interval) = 0;
};

// One step of the loop.
struct CapDecision {
  Seconds at;  // end of the interval, since the start of the loop
  CapFeedback feedback;
  CapAction next;
};

// A new cap and the time until power was below it.
struct CapCompliance {
  Seconds at;
  Watts cap;
  std::optional<Seconds> took;  // absent: not met before the next cap or the end
  int decisions = 0;            // until it was met
};

struct CapOptions {
  ControllerOptions controller = {};
  Seconds duration{60};
  std::size_t max_decisions = SIZE_MAX;
  // The cap at a time since the start, for caps that change; called after every decision. Empty: constant.
  std::function<Watts(Seconds)> cap_at = {};
  std::function<void(const CapDecision&)> on_decision = {};  // called after every decision
  std::stop_token stop = {};
};

// Record and statistics of a run. Throughput is in samples per second.
struct CapResult {
  std::string controller;
  std::vector<CapDecision> decisions;
  std::vector<CapCompliance> caps;
  std::vector<std::string>
      refused;  // caps below idle power, with the reason; the previous cap stayed in force
  Seconds duration;
  double samples = 0, throughput = 0;
  Watts mean_power, max_power;
  Seconds violation, longest_violation;  // time above the cap, from mean power over decision intervals
  Joules violation_energy;               // energy above the cap
  double mean_batch = 0;                 // time-weighted
  std::optional<Hertz> mean_clock;       // absent: default clock
  Seconds settled_after;                 // time of the last change that altered throughput by more than 3 %
  double settled_throughput = 0;
};

// Runs the controller until the duration or the decisions are used up or `stop` is requested. Errors: those
// of CapController::make() and of the plant; a first cap below idle power.
ERGON_API Result<CapResult> hold_cap(Plant& plant, Watts cap, const CapOptions& options = {});

// Options of twin_plant().
struct TwinPlantOptions {
  std::optional<Precision> precision = {};  // absent: the network's; tf32 for float32
  std::vector<std::int64_t> batches = {};   // ascending; empty: 1 to 256, as far as they fit the memory
  bool set_clock = true;
  std::uint64_t seed = 0;  // of the sensor noise
};

// A network at inference on a twin, in simulated time, to try controllers without a GPU. `device`: the name
// of a twin or a device file. Errors: unknown_name; not_found; invalid_input for batches that do not ascend;
// out_of_memory. Its run() fails for a batch or clock that is not one of its operating points.
ERGON_API Result<std::unique_ptr<Plant>> twin_plant(const Network& network, const std::string& device,
                                                    const TwinPlantOptions& options = {});

// Time and power from the twin of a device, as the prior of "joint". Without a precision, in that of the
// network. Errors: as twin_plant().
ERGON_API Result<CapPrior> twin_prior(const Network& network, const std::string& device,
                                      const OperatingPoints& points, std::optional<Precision> precision = {});

}  // namespace ergon
