#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "sweep/evaluation/observation.h"

namespace ergon::sweep {

// Mean and scatter of repeated runs. Deviation and cv need two runs.
template <typename Q>
struct RunStatistics {
  std::int64_t runs = 0;
  Q mean;
  std::optional<Q> deviation;  // divided by n - 1
  std::optional<double> cv;    // deviation over mean

  friend bool operator==(const RunStatistics&, const RunStatistics&) = default;
};

// All runs of a network at one clock.
struct ClockPoint {
  Hertz clock;
  RunStatistics<Seconds> time;
  double relative_time = 1;                   // relative to the fastest clock of the network
  std::optional<RunStatistics<Watts>> power;  // of the PowerKind of the evaluation
  std::optional<RunStatistics<Joules>> energy;
  std::optional<double> energy_delay_cv;  // cv of energy times time over the runs

  std::int64_t runs() const { return time.runs; }
  // Mean energy times mean time, in joule seconds.
  std::optional<double> energy_delay() const;

  friend bool operator==(const ClockPoint&, const ClockPoint&) = default;
};

// Meaning of "power": the highest reading of a run, as in the paper, or its mean.
enum class PowerKind : std::uint8_t { maximum, mean };
std::string_view name_of(PowerKind kind);  // "max", "mean"

// The kind that more runs have, the maximum if equal. All networks are evaluated by one kind, to be
// comparable.
PowerKind power_kind_of(const std::vector<Observation>& runs);

// Source of energies.
enum class EnergySource : std::uint8_t { none, measured, mean_power_times_time, both };
std::string_view name_of(EnergySource source);

// A network on a device, at a batch, in a scenario.
struct NetworkPoints {
  std::string network, device, scenario;
  std::int64_t batch = 0;  // 0: unknown
  EnergySource energy_source = EnergySource::none;
  std::int64_t without_power = 0;   // runs without this kind of power
  std::int64_t without_energy = 0;  // runs without energy
  std::vector<ClockPoint> points;   // by ascending clock

  std::int64_t runs() const;

  friend bool operator==(const NetworkPoints&, const NetworkPoints&) = default;
};

// Groups sorted runs by network, device, scenario and batch.
std::vector<NetworkPoints> network_points(const std::vector<Observation>& sorted, PowerKind kind);

std::optional<Watts> power_of(const Observation& run, PowerKind kind);
std::optional<Joules> energy_of(const Observation& run);

}  // namespace ergon::sweep
