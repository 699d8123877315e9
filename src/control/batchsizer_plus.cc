#include "control/batchsizer_plus.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

// More throughput than this is worth a larger batch.
constexpr double kWorth = 0.01;
// Without a violation in sight a batch grows by no more than this at once.
constexpr double kLeap = 4;
// Until two batches were seen: how power follows the batch, on the careful side.
constexpr double kSlope = 0.35;
// What was over a cap is not tried again until the cap is higher by this.
constexpr double kBarred = 1.01;
// A reading this far from what the batch drew before: something else has changed, and all of them with it.
constexpr double kChanged = 0.08;

// Readings that the mean at a batch is taken of.
constexpr int kRemembered = 6;
constexpr double kSomeRoom = 0.005;

double log_of(std::int64_t batch) { return std::log(static_cast<double>(batch)); }

}  // namespace

BatchSizerPlus::BatchSizerPlus(std::vector<std::int64_t> batches, std::optional<Hertz> clock,
                               std::string_view name)
    : batches_(std::move(batches)), clock_(clock), name_(name) {
  ERGON_EXPECTS(!batches_.empty());
}

Action BatchSizerPlus::first(Watts) { return {{batches_.front(), clock_}, "the smallest batch"}; }

void BatchSizerPlus::remember(const Reading& reading) {
  spread_.see(reading);
  const double power = reading.mean_power.value_or(*reading.power).si();
  Seen& here = seen_[reading.point.batch];
  if (here.times > 0 && std::abs(power / here.power - 1) > kChanged) {
    const double power_ratio = power / here.power, pace = reading.throughput() / here.throughput;
    for (auto& [batch, each] : seen_) {
      each.power *= power_ratio;
      each.throughput *= pace;
    }
    here.times = 0;
  }
  here.times = std::min(here.times + 1, kRemembered);
  here.power += (power - here.power) / here.times;
  here.throughput += (reading.throughput() - here.throughput) / here.times;
}

std::optional<std::int64_t> BatchSizerPlus::best(double limit, double cap) const {
  std::optional<std::int64_t> found;
  for (const auto& [batch, each] : seen_) {
    if (each.power <= limit && each.barred < cap && (!found || each.throughput > seen_.at(*found).throughput))
      found = batch;
  }
  return found;
}

std::int64_t BatchSizerPlus::thrifty(std::int64_t best, double limit, double cap) const {
  const double enough = seen_.at(best).throughput * (1 - kWorth / 2);
  for (const auto& [batch, each] : seen_) {
    if (each.power <= limit && each.barred < cap && each.throughput >= enough) return batch;
  }
  return best;
}

std::int64_t BatchSizerPlus::at_most(double batch) const {
  const auto above = std::upper_bound(batches_.begin(), batches_.end(), static_cast<std::int64_t>(batch));
  return above == batches_.begin() ? batches_.front() : *std::prev(above);
}

std::optional<std::int64_t> BatchSizerPlus::guess(std::int64_t from, double limit) const {
  const auto here = seen_.find(from);
  const auto above = std::next(here);
  double most = static_cast<double>(from) * kLeap, slope = kSlope;
  double gain = 1;  // how throughput follows the batch
  if (above != seen_.end()) {
    // It was over the limit: between the two.
    slope = std::log(above->second.power / here->second.power) / (log_of(above->first) - log_of(from));
    gain =
        std::log(above->second.throughput / here->second.throughput) / (log_of(above->first) - log_of(from));
    most = static_cast<double>(above->first) - 1;
  } else if (here != seen_.begin()) {
    const auto below = std::prev(here);
    const double apart = log_of(from) - log_of(below->first);
    slope = std::log(here->second.power / below->second.power) / apart;
    gain = std::log(here->second.throughput / below->second.throughput) / apart;
  }
  const double room = std::log(limit / here->second.power);
  const double far = room / std::max(slope, 0.02);
  std::int64_t next = at_most(std::min(most, static_cast<double>(from) * std::exp(far)));
  // With a little room and nothing known, one step is worth a try.
  if (next <= from && seen_.size() == 1 && room > kSomeRoom) next = at_most(2 * static_cast<double>(from));
  if (next <= from || std::max(gain, 0.0) * (log_of(next) - log_of(from)) < kWorth) return std::nullopt;
  return next;
}

Action BatchSizerPlus::step(const Reading& reading) {
  const std::int64_t now = reading.point.batch;
  if (!reading.power) return {{batches_.front(), clock_}, "no reading: the smallest batch"};
  remember(reading);
  const double cap = reading.cap.si(), watts = seen_[now].power;
  // What is there already may come a little closer to the cap than what is chosen anew.
  const bool over =
      watts > spread_.brink(reading.cap) || reading.mean_power.value_or(*reading.power) > reading.cap;
  if (over) seen_[now].barred = cap * kBarred;
  const double limit = over ? spread_.limit(reading.cap) : std::max(spread_.limit(reading.cap), watts);
  const auto good = best(limit, cap);
  if (!good) {
    if (now == batches_.front())
      return {{now, clock_},
              fmt::format("{:.0f} W at the smallest batch: a cap of {:.0f} W cannot be held by the batch",
                          watts, cap)};
    return {{batches_.front(), clock_}, fmt::format("{:.0f} W: back to the smallest batch", watts)};
  }
  if (over)
    return {{thrifty(*good, limit, cap), clock_},
            fmt::format("{:.0f} W is too much: back to {}", watts, *good)};
  if (const auto next = guess(*good, spread_.limit(reading.cap)))
    return {{*next, clock_},
            fmt::format("{:.0f} W leaves room: {} should stay within {:.0f} W", watts, *next, limit)};
  const std::int64_t chosen = thrifty(*good, limit, cap);
  if (chosen == now) return {{now, clock_}, fmt::format("{:.0f} W: stays", watts)};
  return {{chosen, clock_}, chosen < now ? "as much throughput with a smaller batch" : "the best so far"};
}

}  // namespace ergon::control
