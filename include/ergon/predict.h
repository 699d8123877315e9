#pragma once

// Predicts what a network costs on a device without running it. Every value has a 90 % interval.
//
//   auto predictor = ergon::Predictor::of_device("h200");
//   auto prediction = predictor->predict(*network, {.batch = 32});  // prediction->energy.value

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/estimate.h"
#include "ergon/export.h"
#include "ergon/network.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// What a prediction comes from: a model of measured rows, a physical model (twin) adjusted by a few rows, or
// the physical model alone.
enum class PredictionSource : std::uint8_t { learned, calibrated, twin };
ERGON_API std::string_view name_of(PredictionSource source);

// The program that launches kernels. Python needs longer per launch than a native program, and longest with
// the deeply nested modules of Hugging Face's transformers.
enum class LaunchHost : std::uint8_t { python, native, transformers };
ERGON_API std::string_view name_of(LaunchHost host);

// How a network is run.
struct Workload {
  std::optional<std::int64_t> batch = {};  // absent: the network's default batch, or 1
  Mode mode = Mode::inference;
  std::optional<Precision> precision = {};  // absent: the network's; tf32 for float32
  std::optional<LaunchHost> host = {};      // absent: Python, with the modules that the network is written in
};

// Requested clock and power limit of a device.
struct ClockAndLimit {
  std::optional<Hertz> clock = {};        // locked core clock; absent: unlocked
  std::optional<Watts> power_limit = {};  // absent: the board's default
};

// One iteration of a network in steady state.
struct Prediction {
  PredictionSource source = PredictionSource::twin;
  Estimate<Seconds> time;
  Estimate<Watts> power;
  Estimate<Joules> energy;
  Estimate<Joules> energy_per_sample;
  std::int64_t batch = 1;
  Hertz clock;              // at which it runs
  bool limited = false;     // the power limit lowers the clock below the requested one
  bool limit_held = true;   // false: power exceeds the limit even at the lowest clock
  bool host_bound = false;  // limited by kernel launches from the host; differs from machine to machine
  // The values follow from a simulation: there is no model, the model was fitted to a twin, or a clock or a
  // power limit was requested, for which the physical model extrapolates.
  bool simulated = true;

  double samples_per_second() const { return static_cast<double>(batch) / time.value.si(); }
};

// All occurrences of one operation (same type, attributes and shapes).
struct OperationPrediction {
  std::string type, description;
  double count = 1;
  Seconds time;
  Joules energy;
};

// A network prepared for one device. Predicts a clock and power limit in about a microsecond. A cheap handle;
// immutable, so any thread may use it.
class ERGON_API PreparedNetwork {
 public:
  // Errors: a clock or power limit that the device does not support.
  Result<Prediction> at(const ClockAndLimit& setting = {}) const;
  // Predictions at all supported clocks, ascending. At clocks that the power limit prevents, `limited` is
  // true.
  Result<std::vector<Prediction>> clock_curve(std::optional<Watts> power_limit = {}) const;
  // By descending energy. Their times and energies add up to the network's.
  Result<std::vector<OperationPrediction>> operations(const ClockAndLimit& setting = {}) const;
  // Share of the time, 0 to 1, in operations that were measured with these exact shapes.
  double measured_share() const;
  // Operations or launch hosts outside the training data.
  const std::vector<std::string>& warnings() const;
  Bytes memory() const;  // of the device that the network needs

 private:
  friend class Predictor;
  struct State;
  explicit PreparedNetwork(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

// Predicts networks on one device. `device` is the name of a twin (twin_names()) or a device file (.json). A
// cheap handle; immutable, so any thread may use it.
class ERGON_API Predictor {
 public:
  // With the bundled model of the device, or with the physical model alone if there is none. Errors:
  // unknown_name with the nearest name; not_found; invalid_input for a damaged file.
  static Result<Predictor> of_device(const std::string& device);
  // With a model file from `ergon fit`. Errors: also a model of another device.
  static Result<Predictor> of_model_file(const std::string& device, const std::string& file);
  // With the physical model alone.
  static Result<Predictor> physical(const std::string& device);

  const std::string& device() const;  // name: "h200"
  PredictionSource source() const;
  // Supported core clocks, ascending.
  std::vector<Hertz> clocks() const;
  // Power limits of the board.
  Watts default_power_limit() const;
  Watts min_power_limit() const;
  Watts max_power_limit() const;

  // Errors: a batch that the network does not support; out_of_memory.
  Result<PreparedNetwork> prepare(const Network& network, const Workload& workload = {}) const;
  // prepare() and at() in one call.
  Result<Prediction> predict(const Network& network, const Workload& workload = {},
                             const ClockAndLimit& setting = {}) const;

 private:
  friend struct Access;
  struct State;
  explicit Predictor(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

// Names of the devices with a bundled model.
ERGON_API std::vector<std::string> bundled_models();

}  // namespace ergon
