#include "meter/validity.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/interval.h"
#include "base/units_text.h"

namespace ergon::meter {
namespace {

constexpr double kTooVague = 0.1;       // of the energy, by statistics alone: 95 % interval
constexpr double kFewestPeriods = 2;    // of the sensor, in a window
constexpr double kDisagreement = 0.02;  // of the energy, beyond what both may err
constexpr double kDoubts = 3;           // standard deviations that they may
constexpr double kLostShare = 0.05;     // of the readings
constexpr double kStuckPeriods = 20;    // that the same value was read
constexpr Seconds kStuckLeast{2};
constexpr double kWorthTelling = 0.01;  // of a gain

class Judge {
 public:
  explicit Judge(const Source& source) : source_(source), report_(source.report) {}

  std::vector<Reason> reasons() {
    if (report_.failure) add("device_lost", "{}", report_.failure->message);
    duration();
    counter();
    clocks();
    strangers();
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
    if (report_.sensor && length < report_.sensor->period * kFewestPeriods) {
      add("too_short", "{} is less than two updates of its sensor, which come every {}", to_text(length),
          to_text(report_.sensor->period));
    } else if (half_width > source_.energy * kTooVague) {
      add("too_short",
          "{} is too short for this sensor: what happened between its readings is {:.0f} % of the energy",
          to_text(length), 100 * (half_width / source_.energy).si());
    }
  }

  void counter() {
    if (report_.counter_stopped) return add("counter_disagrees", "its energy counter stands still");
    if (!report_.counted || !report_.integrated) return;
    const Joules difference{std::fabs((*report_.integrated - *report_.counted).si())};
    const Joules tolerated =
        report_.counter_doubt.value_or(Joules{}) * kDoubts + *report_.counted * kDisagreement;
    if (!(difference > tolerated)) return;
    add("counter_disagrees", "power readings give {}, the energy counter {}", to_text(*report_.integrated),
        to_text(*report_.counted));
  }

  // A GPU that works at the limit it was made for is in its normal state; at a lower one, it is held down.
  void clocks() {
    std::uint64_t holding = report_.surroundings.reasons.bits() & device::EventReasons::kThrottling;
    if (!report_.surroundings.limit_lowered) holding &= ~device::EventReasons::kPowerCap;
    if (holding == 0) return;
    add("throttled", "its clock was held down ({})", fmt::join(device::EventReasons(holding).names(), ", "));
  }

  void strangers() {
    const auto& strangers = report_.surroundings.strangers;
    if (strangers.empty()) return;
    add("other_process", "process {} used it too", fmt::join(strangers, ", "));
  }

  void readings() {
    const std::uint64_t all = std::max(report_.reads, report_.samples + report_.dropped);
    if (static_cast<double>(report_.dropped) > kLostShare * static_cast<double>(all))
      add("samples_lost", "{} of {} readings failed or were absurd", report_.dropped, all);
    if (report_.sensor && report_.unchanged > std::max(kStuckLeast, report_.sensor->period * kStuckPeriods))
      add("sensor_stuck", "its power reading has not changed for {}", to_text(report_.unchanged));
  }

  const Source& source_;
  const SpanReport& report_;
  std::vector<Reason> reasons_;
};

}  // namespace

std::vector<Reason> reasons_against(const Source& source) { return Judge(source).reasons(); }

std::vector<Reason> notes_on(const Source& source) {
  const SpanReport& report = source.report;
  std::vector<Reason> notes;
  const auto add = [&](const char* code, std::string text) {
    notes.push_back({code, report.device.id + ": " + std::move(text)});
  };
  if (report.surroundings.reasons.has(device::EventReasons::kPowerCap) && !report.surroundings.limit_lowered)
    add("power_limit", "its clock was held down by its usual power limit");
  if (!report.sensor) return notes;
  if (!report.sensor->known)
    add("unknown_sensor",
        "nothing is known of this product's power sensor; its kind is assumed, and its interval wide");
  if (std::fabs(report.sensor->gain - 1) >= kWorthTelling)
    add("gain_corrected",
        fmt::format("power sensors of this product read {:.1f} % {}; that is corrected",
                    100 * std::fabs(1 - report.sensor->gain), report.sensor->gain < 1 ? "low" : "high"));
  return notes;
}

}  // namespace ergon::meter
