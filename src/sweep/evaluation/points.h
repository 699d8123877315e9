#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "sweep/evaluation/observation.h"

namespace ergon::sweep {

// Repetitions of one thing. Deviation and coefficient of variation need two.
template <typename Q>
struct Sample {
  std::int64_t runs = 0;
  Q mean;
  std::optional<Q> deviation;  // divided by n - 1
  std::optional<double> cv;    // deviation over mean

  friend bool operator==(const Sample&, const Sample&) = default;
};

// All runs of a network at one clock.
struct ClockPoint {
  Hertz clock;
  Sample<Seconds> time;
  double relative_time = 1;            // to the network's fastest clock
  std::optional<Sample<Watts>> power;  // of the evaluation's kind
  std::optional<Sample<Joules>> energy;
  std::optional<double> energy_delay_cv;  // of the runs' energies times their times

  std::int64_t runs() const { return time.runs; }
  // Mean energy times mean time, in joule seconds.
  std::optional<double> energy_delay() const;

  friend bool operator==(const ClockPoint&, const ClockPoint&) = default;
};

// What "power" is: the highest reading of a run, as in the paper, or its mean.
enum class PowerKind : std::uint8_t { maximum, mean };
std::string_view name_of(PowerKind kind);  // "max", "mean"

// The kind that all networks are evaluated by, so that they can be compared: the maximum if every run has
// one, else the mean if every run has one, else what more runs have.
PowerKind power_kind_of(const std::vector<Observation>& runs);

// Where energies come from.
enum class EnergySource : std::uint8_t { none, measured, mean_power_times_time, both };
std::string_view name_of(EnergySource source);

// A network on a device, at a batch, in a scenario.
struct NetworkPoints {
  std::string network, device, scenario;
  std::int64_t batch = 0;  // 0: not known
  EnergySource energy_source = EnergySource::none;
  std::int64_t without_power = 0;   // runs that lack this kind of power
  std::int64_t without_energy = 0;  // runs whose energy is not known
  std::vector<ClockPoint> points;   // by rising clock

  std::int64_t runs() const;

  friend bool operator==(const NetworkPoints&, const NetworkPoints&) = default;
};

// Every group of `sorted` runs.
std::vector<NetworkPoints> network_points(const std::vector<Observation>& sorted, PowerKind kind);

std::optional<Watts> power_of(const Observation& run, PowerKind kind);
std::optional<Joules> energy_of(const Observation& run);

}  // namespace ergon::sweep
