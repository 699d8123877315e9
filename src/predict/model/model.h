#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "predict/composition.h"
#include "predict/learn/forest.h"
#include "predict/learn/measured_operations.h"
#include "predict/prediction.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// Time the host needs to launch an operation, by operation type; a default for types without measurements.
class LaunchOverhead {
 public:
  void set(const std::string& operation, graph::Mode mode, Seconds time) { times_[{operation, mode}] = time; }
  void set_default(graph::Mode mode, Seconds time) { defaults_[mode] = time; }
  Seconds of(const std::string& operation, graph::Mode mode) const;
  bool is_measured(const std::string& operation, graph::Mode mode) const {
    return times_.contains({operation, mode});
  }

  using Times = std::map<std::pair<std::string, graph::Mode>, Seconds>;
  const Times& times() const { return times_; }
  const std::map<graph::Mode, Seconds>& defaults() const { return defaults_; }

  // Power of the device between kernels of a host-bound operation.
  void set_idle(graph::Mode mode, Watts power) { idle_[mode] = power; }
  std::optional<Watts> idle_in(graph::Mode mode) const;
  const std::map<graph::Mode, Watts>& idle() const { return idle_; }

 private:
  Times times_;
  std::map<graph::Mode, Seconds> defaults_;
  std::map<graph::Mode, Watts> idle_;
};

// Half widths of 90 % intervals, as logarithms: from exp(-width) to exp(width) times the value.
struct IntervalWidths {
  double time = 0.3, power = 0.3, energy = 0.3;

  IntervalWidths times(double factor) const { return {time * factor, power * factor, energy * factor}; }
  // Wider in time, and so in energy.
  IntervalWidths plus(double width) const { return {time + width, power, energy + width}; }
};

struct WidthPair {
  IntervalWidths gpu_bound, host_bound;

  const IntervalWidths& of(bool is_host_bound) const { return is_host_bound ? host_bound : gpu_bound; }
};

// Of the requested launch host; falls back to the nearest measured host.
IntervalWidths nearest_widths(const std::map<LaunchHost, WidthPair>& widths, LaunchHost host,
                              bool host_bound);
// Between the widths of networks without and with measured operations, by the share of time in measured
// operations.
IntervalWidths interpolated(const IntervalWidths& unmeasured, const IntervalWidths& measured, double share);

// Smallest and largest memory traffic (bytes, forward pass) of an operation type in the training data.
struct TrafficRange {
  double min = 0, max = 0;
  std::int64_t rows = 0;
};
using TrainingRange = std::map<std::pair<std::string, graph::Mode>, TrafficRange>;

// Accuracy on held-out rows.
struct Score {
  std::string what;  // "networks, inference, time"
  std::int64_t rows = 0;
  double mape = 0;                  // mean absolute percentage error, as a share
  std::optional<double> r_squared;  // absent for networks, and where all measured values are equal
  std::optional<double> coverage;   // of the 90 % intervals; absent for operations
};

// What `ergon fit` learns about one device.
struct Model {
  std::string device;
  std::string device_parameters;  // their digest when the model was fitted; empty in models of version 0.1
  PredictionSource source = PredictionSource::learned;
  std::string learner;  // name of the Learner
  Forest time, power;   // log(measured / physical estimate); empty in a calibrated model
  LaunchOverhead launch_overhead;
  ShrinkageByMode shrinkage;
  Corrections corrections;
  std::map<LaunchHost, WidthPair> widths;           // of networks without measured operations
  std::map<LaunchHost, WidthPair> measured_widths;  // of networks with measured operations only
  TrainingRange range;
  MeasuredOperations operations;
  std::vector<Score> scores;
  std::vector<TrainingSource> training_sources;

  // Whether it was fitted with this device's parameters. Learned ratios are relative to them.
  bool fits(const device::Specification& gpu) const;
  bool simulated() const;  // some of its rows come from a twin
  // Rows of all training sources.
  std::int64_t operation_rows() const;
  std::int64_t network_rows() const;
  Shrinkage shrinkage_for(graph::Mode mode) const;
  // Operation types in the training data.
  std::set<std::string> kinds() const;
  // `measured_share`: share of the network's time, 0 to 1, in measured operations.
  IntervalWidths widths_of(LaunchHost host, bool host_bound, double measured_share) const;
};

}  // namespace ergon::predict
