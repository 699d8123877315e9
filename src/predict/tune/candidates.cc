#include "predict/tune/candidates.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"
#include "device/twin/clock_grid.h"

namespace ergon::predict {
namespace {

// Number of steps between the lowest and the highest power limit.
constexpr int kLimitSteps = 5;

struct Clocks {
  std::vector<Hertz> locked;  // below `top`
  std::optional<Hertz> top;   // highest clock; absent: default clock
};

Result<Clocks> clocks_of(const device::Specification& gpu, const SearchSpace& space) {
  const Hertz from = space.min_clock.value_or(gpu.core.min), to = space.max_clock.value_or(gpu.core.max);
  Clocks clocks;
  const device::ClockGrid grid(gpu.core);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid.at(i) >= from && grid.at(i) <= to) clocks.locked.push_back(grid.at(i));
  }
  if (clocks.locked.empty()) {
    return fail(Errc::invalid_input,
                "{} has no core clock from {} to {}; its clocks are {} to {} in steps of {}", gpu.name,
                to_text(from), to_text(to), to_text(gpu.core.min), to_text(gpu.core.max),
                to_text(gpu.core.step));
  }
  if (to < gpu.core.max) clocks.top = clocks.locked.back();
  clocks.locked.pop_back();
  if (!space.lock_clocks) clocks.locked.clear();
  return clocks;
}

class Collector {
 public:
  Collector(const TuneTarget& target, std::vector<OperatingPoint>& points)
      : target_(target), points_(points) {}

  void add_all(const PreparedNetwork& prepared, const Clocks& clocks, std::span<const Watts> limits) {
    const Watts default_limit = target_.gpu.limit.default_limit;
    const bool limited_by_default = prepared.predict({clocks.top, default_limit}).limited;
    for (const Watts limit : limits) {
      const Prediction top = prepared.predict({clocks.top, limit});
      if (limit == default_limit || top.limited || limited_by_default) add(prepared, clocks.top, limit, top);
      if (limit < default_limit) continue;
      for (const Hertz clock : clocks.locked) {
        if (limit > default_limit && !prepared.predict({clock, default_limit}).limited) continue;
        const Prediction prediction = prepared.predict({clock, limit});
        if (!prediction.limited) add(prepared, clock, limit, prediction);
      }
    }
  }

 private:
  void add(const PreparedNetwork& prepared, std::optional<Hertz> clock, Watts limit,
           const Prediction& prediction) {
    if (!prediction.limit_held) return;
    points_.push_back({target_.gpu.name, prepared.config().batch, clock, limit,
                       limit == target_.gpu.limit.default_limit, prediction});
  }

  const TuneTarget& target_;
  std::vector<OperatingPoint>& points_;
};

}  // namespace

Result<TuneTarget> tune_target_of(const Predictor& predictor, std::span<const Iteration> iterations) {
  TuneTarget target{predictor.gpu(), {}, {}};
  for (const Iteration& iteration : iterations) {
    auto prepared = predictor.prepare(iteration);
    if (prepared) {
      target.networks.push_back(std::move(*prepared));
      continue;
    }
    if (prepared.error().kind != Errc::out_of_memory) return prepared.error();
    target.excluded.push_back({iteration.config.batch, prepared.error().message});
  }
  if (target.networks.empty() && !target.excluded.empty())
    return fail(Errc::out_of_memory, "{}", target.excluded.front().reason);
  return target;
}

std::vector<Watts> limits_of(const device::Specification& gpu, const SearchSpace& space) {
  std::vector<Watts> others;
  if (space.limits) {
    for (const Watts limit : *space.limits) {
      if (limit >= gpu.limit.min && limit <= gpu.limit.max) others.push_back(limit);
    }
  } else if (space.lock_clocks) {
    others.push_back(gpu.limit.max);
  } else {
    for (int i = 0; i <= kLimitSteps; ++i) {
      const Watts between =
          gpu.limit.min + (gpu.limit.max - gpu.limit.min) * (static_cast<double>(i) / kLimitSteps);
      others.push_back(std::clamp(Watts{std::round(between.si())}, gpu.limit.min, gpu.limit.max));
    }
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::erase(others, gpu.limit.default_limit);
  others.insert(others.begin(), gpu.limit.default_limit);
  return others;
}

Result<std::vector<OperatingPoint>> candidates_of(const TuneTarget& target, const SearchSpace& space) {
  const auto clocks = clocks_of(target.gpu, space);
  if (!clocks) return clocks.error();
  const auto limits = limits_of(target.gpu, space);
  std::vector<OperatingPoint> points;
  Collector collector(target, points);
  for (const PreparedNetwork& prepared : target.networks) collector.add_all(prepared, *clocks, limits);
  if (points.empty()) {
    return fail(Errc::unsupported, "{} exceeds every power limit at every clock", target.gpu.name);
  }
  return points;
}

OperatingPoint default_point(const TuneTarget& target, const PreparedNetwork& prepared) {
  return {target.gpu.name,     prepared.config().batch, std::nullopt, target.gpu.limit.default_limit, true,
          prepared.predict({})};
}

}  // namespace ergon::predict
