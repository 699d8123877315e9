#include "control/controllers/batchsizer_plus.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

// Minimum relative gain in throughput for a larger batch.
constexpr double kMinGain = 0.01;
// Maximum growth factor of the batch per decision.
constexpr double kMaxGrowth = 4;
// d log(power) / d log(batch) before two batches were measured; conservative.
constexpr double kSlope = 0.35;
// A batch that exceeded a cap is tried again when the cap is higher by this factor.
constexpr double kRetryCap = 1.01;
// A relative change of a batch's power that means the workload changed: all stored values are rescaled.
constexpr double kChanged = 0.08;

// Window of the running means, in decisions.
constexpr int kMeanWindow = 6;
constexpr double kMinHeadroom = 0.005;

double log_of(std::int64_t batch) { return std::log(static_cast<double>(batch)); }
double log_power_ratio(Watts a, Watts b) { return std::log((a / b).si()); }

}  // namespace

BatchSizerPlus::BatchSizerPlus(std::vector<std::int64_t> batches, std::optional<Hertz> clock,
                               std::string_view name)
    : batches_(std::move(batches)), clock_(clock), name_(name) {
  ERGON_EXPECTS(!batches_.empty());
}

Action BatchSizerPlus::first(Watts) { return {{batches_.front(), clock_}, "the smallest batch"}; }

void BatchSizerPlus::add_sample(const Feedback& feedback) {
  margin_.add_sample(feedback);
  const Watts power = feedback.mean_power.value_or(*feedback.power);
  BatchStatistics& here = measured_[feedback.point.batch];
  if (here.count > 0 && std::abs((power / here.power).si() - 1) > kChanged) {
    const double power_ratio = (power / here.power).si();
    const double speed_ratio = feedback.throughput() / here.throughput;
    for (auto& [batch, each] : measured_) {
      each.power *= power_ratio;
      each.throughput *= speed_ratio;
    }
    here.count = 0;
  }
  here.count = std::min(here.count + 1, kMeanWindow);
  here.power += (power - here.power) / here.count;
  here.throughput += (feedback.throughput() - here.throughput) / here.count;
}

std::optional<std::int64_t> BatchSizerPlus::best(Watts limit, Watts cap) const {
  std::optional<std::int64_t> found;
  for (const auto& [batch, each] : measured_) {
    if (each.fits(limit, cap) && (!found || each.throughput > measured_.at(*found).throughput)) found = batch;
  }
  return found;
}

std::int64_t BatchSizerPlus::smallest_as_fast(std::int64_t best, Watts limit, Watts cap) const {
  const double enough = measured_.at(best).throughput * (1 - kMinGain / 2);
  for (const auto& [batch, each] : measured_) {
    if (each.fits(limit, cap) && each.throughput >= enough) return batch;
  }
  return best;
}

std::int64_t BatchSizerPlus::largest_up_to(double batch) const {
  const auto above = std::upper_bound(batches_.begin(), batches_.end(), static_cast<std::int64_t>(batch));
  return above == batches_.begin() ? batches_.front() : *std::prev(above);
}

std::optional<std::int64_t> BatchSizerPlus::next_candidate(std::int64_t from, Watts limit) const {
  const auto here = measured_.find(from);
  const auto above = std::next(here);
  double max_batch = static_cast<double>(from) * kMaxGrowth, slope = kSlope;
  double gain = 1;  // d log(throughput) / d log(batch)
  if (above != measured_.end()) {
    // The next measured batch was over the limit: interpolate.
    slope = log_power_ratio(above->second.power, here->second.power) / (log_of(above->first) - log_of(from));
    gain =
        std::log(above->second.throughput / here->second.throughput) / (log_of(above->first) - log_of(from));
    max_batch = static_cast<double>(above->first) - 1;
  } else if (here != measured_.begin()) {
    const auto below = std::prev(here);
    const double apart = log_of(from) - log_of(below->first);
    slope = log_power_ratio(here->second.power, below->second.power) / apart;
    gain = std::log(here->second.throughput / below->second.throughput) / apart;
  }
  const double room = log_power_ratio(limit, here->second.power);
  const double far = room / std::max(slope, 0.02);
  std::int64_t next = largest_up_to(std::min(max_batch, static_cast<double>(from) * std::exp(far)));
  // With some headroom and only one batch measured, double the batch.
  if (next <= from && measured_.size() == 1 && room > kMinHeadroom)
    next = largest_up_to(2 * static_cast<double>(from));
  if (next <= from || std::max(gain, 0.0) * (log_of(next) - log_of(from)) < kMinGain) return std::nullopt;
  return next;
}

Action BatchSizerPlus::step(const Feedback& feedback) {
  const std::int64_t now = feedback.point.batch;
  if (!feedback.power) return {{batches_.front(), clock_}, "no power reading: the smallest batch"};
  add_sample(feedback);
  const Watts cap = feedback.cap, power = measured_[now].power;
  // Hysteresis: the current batch may be closer to the cap than a newly chosen one.
  const bool over = power > margin_.limit_to_stay(cap) || feedback.mean_power.value_or(*feedback.power) > cap;
  if (over) measured_[now].excluded_cap = cap * kRetryCap;
  const Watts limit = over ? margin_.limit_to_enter(cap) : std::max(margin_.limit_to_enter(cap), power);
  const auto good = best(limit, cap);
  if (!good) {
    if (now == batches_.front())
      return {{now, clock_},
              fmt::format("{:.0f} W at the smallest batch: a cap of {:.0f} W cannot be held", power.si(),
                          cap.si())};
    return {{batches_.front(), clock_}, fmt::format("{:.0f} W: back to the smallest batch", power.si())};
  }
  if (over)
    return {{smallest_as_fast(*good, limit, cap), clock_},
            fmt::format("{:.0f} W: above the limit, back to batch {}", power.si(), *good)};
  if (const auto next = next_candidate(*good, margin_.limit_to_enter(cap)))
    return {{*next, clock_},
            fmt::format("{:.0f} W: headroom for batch {} within {:.0f} W", power.si(), *next, limit.si())};
  const std::int64_t chosen = smallest_as_fast(*good, limit, cap);
  if (chosen == now) return {{now, clock_}, fmt::format("{:.0f} W: no change", power.si())};
  return {{chosen, clock_}, chosen < now ? "a smaller batch with equal throughput" : "the best batch so far"};
}

}  // namespace ergon::control
