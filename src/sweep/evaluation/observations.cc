#include "sweep/evaluation/observations.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "device/plausible.h"

namespace ergon::sweep {
namespace {

// No measured value is outside this range, and squares do not overflow.
constexpr double kMin = 1e-12, kMax = 1e12;

bool is_plausible(const std::optional<double>& amount) {
  return !amount || (*amount > kMin && *amount < kMax);
}
// Rows do not name their board, so the limit is that of any board.
bool is_plausible_power(const std::optional<double>& watts) {
  return is_plausible(watts) && (!watts || Watts{*watts} <= device::max_plausible_power(std::nullopt));
}
bool is_plausible_clock(const std::optional<double>& hertz) {
  return is_plausible(hertz) && (!hertz || device::is_plausible(Hertz{*hertz}));
}

// The reason why a run is excluded; empty if it is usable.
std::string fault_of(const RawObservation& raw) {
  if (!raw.valid) return raw.reasons.empty() ? "invalid" : fmt::format("invalid: {}", printable(raw.reasons));
  if (!raw.invalid_number.empty()) return fmt::format("{} is not a number", raw.invalid_number);
  if (raw.network.empty()) return "no network";
  if (!raw.clock_requested_hertz && !raw.clock_observed_hertz) return "no clock";
  if (!raw.time_seconds) return "no time";
  if (!raw.power_max_watts && !raw.power_mean_watts) return "no power";
  if (!is_plausible_clock(raw.clock_requested_hertz ? raw.clock_requested_hertz : raw.clock_observed_hertz))
    return "impossible clock";
  if (!is_plausible(raw.time_seconds)) return "impossible time";
  if (!is_plausible_power(raw.power_max_watts) || !is_plausible_power(raw.power_mean_watts))
    return "impossible power";
  if (!is_plausible(raw.energy_joules)) return "impossible energy";
  return {};
}

template <typename Q>
std::optional<Q> quantity(const std::optional<double>& si) {
  return si ? std::optional(Q{*si}) : std::nullopt;
}

template <typename Q>
std::optional<double> si(const std::optional<Q>& value) {
  return value ? std::optional(value->si()) : std::nullopt;
}

}  // namespace

void take(const RawObservation& raw, Observations& into) {
  if (const std::string fault = fault_of(raw); !fault.empty()) {
    ++into.excluded[fault];
    return;
  }
  into.simulated = into.simulated || raw.simulated;
  into.all_simulated = (into.all_simulated || into.runs.empty()) && raw.simulated;
  into.runs.push_back({
      .network = raw.network,
      .device = raw.device,
      .scenario = raw.scenario,
      .batch = raw.batch,
      .clock = Hertz{raw.clock_requested_hertz ? *raw.clock_requested_hertz : *raw.clock_observed_hertz},
      .time = Seconds{*raw.time_seconds},
      .power_max = quantity<Watts>(raw.power_max_watts),
      .power_mean = quantity<Watts>(raw.power_mean_watts),
      .energy = quantity<Joules>(raw.energy_joules),
  });
}

Observations observations_of(const std::vector<RunRow>& rows) {
  Observations all;
  for (const RunRow& row : rows) {
    take({.network = row.run.network,
          .device = row.device,
          .scenario = std::string(name_of(row.run.scenario)),
          .batch = row.run.batch,
          .clock_requested_hertz = si(row.run.clock),
          .clock_observed_hertz = si(row.clock_observed),
          .time_seconds = si(row.time),
          .power_max_watts = si(row.power_max),
          .power_mean_watts = si(row.power_mean),
          .energy_joules = si(row.energy),
          .valid = row.valid,
          .reasons = fmt::format("{}", fmt::join(row.reasons, ";")),
          .simulated = row.simulated},
         all);
  }
  std::sort(all.runs.begin(), all.runs.end());
  return all;
}

}  // namespace ergon::sweep
