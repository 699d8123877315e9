#include "control/trace_plant.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "control/looks.h"

namespace ergon::control {
namespace {

constexpr std::int64_t kMostWhole = 512;
constexpr int kInEqualRatios = 256;
constexpr double kIdleShare = 0.95;
// Times are sums of many batches; what differs by less is the same moment.
constexpr Seconds kMoment{1e-9};

std::vector<std::int64_t> batches_between(std::int64_t least, std::int64_t most) {
  std::vector<std::int64_t> batches;
  if (most - least < kMostWhole) {
    for (std::int64_t batch = least; batch <= most; ++batch) batches.push_back(batch);
    return batches;
  }
  const double ratio = static_cast<double>(most) / static_cast<double>(least);
  for (int i = 0; i < kInEqualRatios; ++i) {
    const double exact = static_cast<double>(least) * std::pow(ratio, i / (kInEqualRatios - 1.0));
    const std::int64_t batch = std::clamp<std::int64_t>(std::llround(exact), least, most);
    if (batches.empty() || batch > batches.back()) batches.push_back(batch);
  }
  return batches;
}

}  // namespace

TracePlant::TracePlant(Trace trace, Options options)
    : options_(std::move(options)),
      surface_(std::move(trace)),
      knobs_(surface_.trace().knobs()),
      random_(options_.seed) {
  ERGON_EXPECTS(options_.sensor_period > kMoment && options_.sensor_window > kMoment);
  ERGON_EXPECTS(options_.power_noise >= 0);
  const std::int64_t least = knobs_.batches.front(), most = knobs_.batches.back();
  knobs_.batches = options_.batches ? *options_.batches : batches_between(least, most);
  ERGON_EXPECTS(!knobs_.batches.empty() && knobs_.batches.front() >= least && knobs_.batches.back() <= most);
  ERGON_EXPECTS(std::ranges::adjacent_find(knobs_.batches, std::greater_equal{}) == knobs_.batches.end());
  const auto& cells = surface_.trace().cells;
  idle_ = options_.idle.value_or(std::ranges::min(cells, {}, &TraceCell::power).power * kIdleShare);
  update();
}

Result<Reading> TracePlant::run(const Point& point, const Controller::Patience& patience) {
  ERGON_EXPECTS(std::ranges::binary_search(knobs_.batches, point.batch));
  ERGON_EXPECTS(point.clock ? std::ranges::binary_search(knobs_.clocks, *point.clock)
                            : knobs_.clocks.empty());
  const bool fresh_only = patience.sensor_updates > 0;
  const Expectation truth = surface_.at(point);
  std::int64_t batches = std::max(1, patience.batches);
  if (fresh_only) {
    const Seconds needed = options_.sensor_window + options_.sensor_period * patience.sensor_updates;
    batches =
        std::max<std::int64_t>(batches, std::llround(std::ceil(((needed - kMoment) / truth.time).si())));
  }
  const Seconds from = now_;
  if (point_ != point) since_ = from;
  point_ = point;
  const auto after = [&](std::int64_t done) { return from + truth.time * static_cast<double>(done); };
  now_ = after(batches);
  recent_.push_back({from, now_, truth.power});
  passed_.push_back({from, now_, truth.power});

  Looks looks;
  if (fresh_only) {
    while (next_update() <= now_ + kMoment) {
      update();
      if (shown_.at - options_.sensor_window >= since_ - kMoment) looks.see(shown_.power);
    }
  } else {
    for (std::int64_t done = 1; done <= batches; ++done) {
      while (next_update() <= after(done) + kMoment) update();
      looks.see(shown_.power);
    }
  }
  std::erase_if(recent_,
                [&](const Stretch& stretch) { return stretch.to < next_update() - options_.sensor_window; });

  Reading reading;
  looks.tell(reading);
  reading.at = now_;
  reading.lasted = now_ - from;
  reading.point = point;
  reading.samples = static_cast<double>(batches * point.batch);
  reading.latency = truth.time;
  latencies_.push_back({truth.time, reading.samples});
  return reading;
}

void TracePlant::update() {
  const Seconds at = next_update();
  const Watts mean = mean_power(at - options_.sensor_window, at);
  const double noise = options_.power_noise > 0 ? options_.power_noise * random_.normal() : 0;
  shown_ = {at, std::max(mean * (1 + noise), Watts{0})};
  ++updates_;
}

Watts TracePlant::mean_power(Seconds from, Seconds to) const {
  Seconds covered = std::max(std::min(to, Seconds{0}) - from, Seconds{0});  // by what was before time 0
  Joules energy = idle_ * covered;
  for (const Stretch& stretch : recent_) {
    const Seconds shared = std::max(std::min(to, stretch.to) - std::max(from, stretch.from), Seconds{0});
    energy += stretch.power * shared;
    covered += shared;
  }
  return energy / covered;
}

}  // namespace ergon::control
