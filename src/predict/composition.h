#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/twin/specification.h"
#include "predict/estimate/task.h"

namespace ergon::predict {

// Time and power of a network from those of its operations.
//
// Kernels run one after the other while the host launches the next ones: the slower of the two determines the
// time. Operations shorter than their launch overhead were only ever measured host-bound, so their learned
// time ratio is shrunk towards the physical estimate. The energy they used above idle power is kept in full.

// Operations of one class run differently inside a network than alone: inputs are still in the cache, and hot
// operations alternate with cooler ones.
enum class OperationClass : std::uint8_t { convolution, product, memory_bound, channels_last };
OperationClass operation_class_of(const Task& task);

// Physical estimate and learned ratios of one task.
struct TaskCost {
  double count = 1;
  OperationClass operation_class = OperationClass::memory_bound;
  Seconds settled;                         // physical estimate of one occurrence at the default clock
  Watts settled_power;                     // physical estimate of its power
  double time_ratio = 0, power_ratio = 0;  // learned: log(measured / estimate)
  Seconds host;                            // launch overhead of one occurrence
  std::optional<Watts> idle;  // power of the device between kernels of this operation, measured alone
  double shift = 0;           // log factor of its class inside networks
  bool measured = false;      // this exact operation is in the training data
};

// How far learned log ratios are shrunk towards the physical estimate (a ratio of 0).
struct Shrinkage {
  double weight = 1;               // of the learned ratio of operations that were not measured
  double host_bound_discount = 1;  // share by which the weight drops when the operation is host-bound

  friend bool operator==(const Shrinkage&, const Shrinkage&) = default;
};

// Separate by mode: launch overhead in training is so much larger that other rows are informative.
using ShrinkageByMode = std::map<graph::Mode, Shrinkage>;

// Factor on the learned time ratio, 0 to 1.
double ratio_weight(const TaskCost& cost, const Shrinkage& shrinkage);
// Of all occurrences, without the class shift.
Seconds kernel_time(const TaskCost& cost, const Shrinkage& shrinkage);
// Share of kernel time, 0 to 1, in measured operations.
double measured_share(std::span<const TaskCost> costs, const Shrinkage& shrinkage);

struct Portion {
  Seconds kernels;
  Joules energy;
};
struct OperationSums {
  Seconds kernels, host;
  Joules energy;                                  // while kernels run
  Portion products, memory_bound, channels_last;  // of operations in these classes
};
// Class shifts are not included: they are fitted by comparing sums with measured networks.
OperationSums sums_of(std::span<const TaskCost> costs, const Shrinkage& shrinkage);
// From a network's totals; `power` is the mean power, host-bound time included.
OperationSums sums_of(Seconds kernels, Seconds host, Watts power, const device::Specification& gpu);

// Log factors from sums of operations to whole networks.
struct Correction {
  double kernels = 0, host = 0, power = 0;
  double products = 0, memory_bound = 0, channels_last = 0;  // in addition to the factor of all kernels

  double shift_of(OperationClass operation_class) const;
  friend bool operator==(const Correction&, const Correction&) = default;
};

// Configurations that share one correction.
struct ConfigKey {
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  LaunchHost host = LaunchHost::python;
  friend auto operator<=>(const ConfigKey&, const ConfigKey&) = default;
};
ConfigKey key_of(const WorkloadConfig& config);

struct Corrections {
  std::map<ConfigKey, Correction> by_config;
  double idle_power = 0;  // log factor on the power while no kernel runs
  Watts max_power;        // highest measured power of a network

  // Of the nearest configuration in the same mode: the same launch host counts most, then the same precision,
  // then a precision of the same width.
  Correction of(const ConfigKey& key) const;
};

// The host determines the time, or nearly does.
inline bool is_host_bound(Seconds kernels, Seconds host) { return host > kernels * 0.7; }

// One iteration of a network.
struct NetworkCost {
  Seconds time, kernels, host;
  Watts power;
  Joules energy;

  bool host_bound() const { return is_host_bound(kernels, host); }
};
NetworkCost network_cost(const OperationSums& sums, const Correction& correction, const Corrections& all,
                         const device::Specification& gpu);

// A measured network and the sums of its operations.
struct NetworkObservation {
  std::string network;
  ConfigKey key;
  OperationSums sums;
  Seconds time;
  std::optional<Watts> power;
};
// Regularized: small corrections that fit many networks are preferred to large ones that fit a few.
Corrections fit_corrections(std::span<const NetworkObservation> observations,
                            const device::Specification& gpu);

}  // namespace ergon::predict
