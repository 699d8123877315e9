#include "meter/validity.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/interval.h"
#include "base/units_text.h"

namespace ergon::meter {
namespace {

constexpr double kMaxStatistical = 0.1;  // half of the statistical 95 % interval, as a share of the energy
constexpr double kMinPeriods = 2;        // sensor periods in a window
constexpr double kDisagreement = 0.02;   // counter and readings, as a share of the energy,
constexpr double kCounterSigmas = 3;     // beyond this many standard deviations
constexpr double kLostShare = 0.05;      // of the readings
constexpr double kStuckPeriods = 20;     // periods without a change of the value
constexpr Seconds kStuckMin{2};
constexpr double kMinCorrectionNote =
    0.01;  // relative correction, of the gain or of the energy, that is reported

class ValidityChecks {
 public:
  explicit ValidityChecks(const DeviceMeasurement& source) : source_(source), report_(source.report) {}

  std::vector<Reason> reasons() {
    if (report_.failure) add("device_lost", "{}", report_.failure->message);
    duration();
    counter();
    clocks();
    other_processes();
    readings();
    return std::move(reasons_);
  }

 private:
  template <typename... Args>
  void add(const char* code, fmt::format_string<Args...> text, Args&&... args) {
    reasons_.push_back({code, report_.device.id + ": " + fmt::format(text, std::forward<Args>(args)...)});
  }

  void duration() {
    const Seconds length = report_.end - report_.begin;
    const Joules half_width = source_.statistical * statistics::kInterval95;
    if (report_.sensor && length < report_.sensor->period * kMinPeriods) {
      add("too_short", "{} is shorter than two sensor updates ({} each)", to_text(length),
          to_text(report_.sensor->period));
    } else if (half_width > source_.energy * kMaxStatistical && !(source_.energy > Joules{})) {
      add("too_short", "{} is too short for this sensor: energy {}, statistical uncertainty {}",
          to_text(length), to_text(source_.energy), to_text(half_width));
    } else if (half_width > source_.energy * kMaxStatistical) {
      add("too_short", "{} is too short for this sensor: statistical uncertainty {:.0f} % of the energy",
          to_text(length), 100 * (half_width / source_.energy).si());
    }
  }

  void counter() {
    if (report_.counter_stopped) return add("counter_disagrees", "the energy counter does not increase");
    if (!report_.counted || !report_.integrated) return;
    const Joules difference{std::fabs((*report_.integrated - *report_.counted).si())};
    const Joules tolerated =
        report_.counter_deviation.value_or(Joules{}) * kCounterSigmas + *report_.counted * kDisagreement;
    if (!(difference > tolerated)) return;
    add("counter_disagrees", "power readings give {}, the energy counter {}", to_text(*report_.integrated),
        to_text(*report_.counted));
  }

  // Reaching the default power limit is normal operation; reaching a lowered limit is throttling.
  void clocks() {
    std::uint64_t throttling = report_.device_state.reasons.bits() & device::EventReasons::kThrottling;
    if (!report_.device_state.power_limit_lowered) throttling &= ~device::EventReasons::kPowerCap;
    if (throttling == 0) return;
    add("throttled", "the clock was throttled ({})",
        fmt::join(device::EventReasons(throttling).names(), ", "));
  }

  void other_processes() {
    const auto& other_processes = report_.device_state.other_processes;
    if (other_processes.empty()) return;
    add("other_process", "also used by process {}", fmt::join(other_processes, ", "));
  }

  void readings() {
    const std::uint64_t all = std::max(report_.reads, report_.samples + report_.dropped);
    if (static_cast<double>(report_.dropped) > kLostShare * static_cast<double>(all))
      add("samples_lost", "{} of {} readings failed or were implausible", report_.dropped, all);
    if (report_.sensor && report_.unchanged > std::max(kStuckMin, report_.sensor->period * kStuckPeriods))
      add("sensor_stuck", "the power reading did not change for {}", to_text(report_.unchanged));
  }

  const DeviceMeasurement& source_;
  const SpanReport& report_;
  std::vector<Reason> reasons_;
};

// "-5.7 W", or "" without an offset.
std::string offset_text(Watts offset) {
  return offset == Watts{} ? ""
                           : fmt::format(" {} {:g} W", offset < Watts{} ? "-" : "+", std::fabs(offset.si()));
}

// Gain and offset of the sensor, and their effect on this measurement. An offset matters more the lower the
// power is. Empty if the correction is small.
std::optional<std::string> correction_text(const DeviceMeasurement& source) {
  const SensorFacts& sensor = *source.report.sensor;
  const Joules read = source.report.energy.energy;
  std::optional<double> change;  // of the energy
  if (read > Joules{0} && source.energy > Joules{0}) change = (source.energy / read).si() - 1;
  const double largest = std::max(std::fabs(sensor.gain - 1), std::fabs(change.value_or(0)));
  if (largest < kMinCorrectionNote) return std::nullopt;
  return fmt::format("power sensors of this product read {:g} x power{}; corrected{}", sensor.gain,
                     offset_text(sensor.offset),
                     change ? fmt::format(", the energy by {:+.1f} %", 100 * *change) : "");
}

}  // namespace

std::vector<Reason> reasons_against(const DeviceMeasurement& source) {
  return ValidityChecks(source).reasons();
}

std::vector<Reason> notes_on(const DeviceMeasurement& source) {
  const SpanReport& report = source.report;
  std::vector<Reason> notes;
  const auto add = [&](const char* code, std::string text) {
    notes.push_back({code, report.device.id + ": " + std::move(text)});
  };
  if (report.device_state.reasons.has(device::EventReasons::kPowerCap) &&
      !report.device_state.power_limit_lowered)
    add("power_limit", "the clock was limited by the default power limit");
  if (!report.sensor) return notes;
  if (!report.sensor->known)
    add("unknown_sensor",
        "the power sensor of this product is not in the catalog; a wide interval is assumed");
  if (auto text = correction_text(source)) add("gain_corrected", std::move(*text));
  return notes;
}

}  // namespace ergon::meter
