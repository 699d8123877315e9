#include "predict/tune/candidates.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"
#include "device/twin/clock_grid.h"

namespace ergon::predict {
namespace {

// How many steps the limits are apart, from the least to the most.
constexpr int kLimitSteps = 5;

struct Clocks {
  std::vector<Hertz> locked;  // below the top
  std::optional<Hertz> top;   // nothing: the GPU's own
};

Result<Clocks> clocks_of(const device::Specification& gpu, const Reach& reach) {
  const Hertz from = reach.clock_from.value_or(gpu.core.least), to = reach.clock_to.value_or(gpu.core.most);
  Clocks clocks;
  const device::ClockGrid grid(gpu.core);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid.at(i) >= from && grid.at(i) <= to) clocks.locked.push_back(grid.at(i));
  }
  if (clocks.locked.empty()) {
    return fail(Errc::invalid_input, "{} has core clocks from {} to {} in steps of {}, none from {} to {}",
                gpu.name, to_text(gpu.core.least), to_text(gpu.core.most), to_text(gpu.core.step),
                to_text(from), to_text(to));
  }
  if (to < gpu.core.most) clocks.top = clocks.locked.back();
  clocks.locked.pop_back();
  if (!reach.lock_clocks) clocks.locked.clear();
  return clocks;
}

class Collector {
 public:
  Collector(const Contender& contender, std::vector<OperatingPoint>& points)
      : contender_(contender), points_(points) {}

  void add_all(const Outlook& outlook, const Clocks& clocks, std::span<const Watts> limits) {
    const Watts usual = contender_.gpu.limit.usual;
    const bool held_usually = outlook.at({clocks.top, usual}).limited;
    for (const Watts limit : limits) {
      const Forecast top = outlook.at({clocks.top, limit});
      if (limit == usual || top.limited || held_usually) add(outlook, clocks.top, limit, top);
      if (limit < usual) continue;
      for (const Hertz clock : clocks.locked) {
        if (limit > usual && !outlook.at({clock, usual}).limited) continue;
        const Forecast forecast = outlook.at({clock, limit});
        if (!forecast.limited) add(outlook, clock, limit, forecast);
      }
    }
  }

 private:
  void add(const Outlook& outlook, std::optional<Hertz> clock, Watts limit, const Forecast& forecast) {
    if (!forecast.kept) return;
    points_.push_back({contender_.gpu.name, outlook.condition().batch, clock, limit,
                       limit == contender_.gpu.limit.usual, forecast});
  }

  const Contender& contender_;
  std::vector<OperatingPoint>& points_;
};

}  // namespace

Result<Contender> contender_of(const Predictor& predictor, std::span<const Job> jobs) {
  Contender contender{predictor.gpu(), {}, {}};
  for (const Job& job : jobs) {
    auto outlook = predictor.prepare(job);
    if (outlook) {
      contender.outlooks.push_back(std::move(*outlook));
      continue;
    }
    if (outlook.error().kind != Errc::out_of_memory) return outlook.error();
    contender.left_out.push_back({job.condition.batch, outlook.error().message});
  }
  if (contender.outlooks.empty() && !contender.left_out.empty())
    return fail(Errc::out_of_memory, "{}", contender.left_out.front().why);
  return contender;
}

std::vector<Watts> limits_of(const device::Specification& gpu, const Reach& reach) {
  std::vector<Watts> others;
  if (reach.limits) {
    for (const Watts limit : *reach.limits) {
      if (limit >= gpu.limit.least && limit <= gpu.limit.most) others.push_back(limit);
    }
  } else if (reach.lock_clocks) {
    others.push_back(gpu.limit.most);
  } else {
    for (int i = 0; i <= kLimitSteps; ++i) {
      const Watts between =
          gpu.limit.least + (gpu.limit.most - gpu.limit.least) * (static_cast<double>(i) / kLimitSteps);
      others.push_back(std::clamp(Watts{std::round(between.si())}, gpu.limit.least, gpu.limit.most));
    }
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::erase(others, gpu.limit.usual);
  others.insert(others.begin(), gpu.limit.usual);
  return others;
}

Result<std::vector<OperatingPoint>> candidates_of(const Contender& contender, const Reach& reach) {
  const auto clocks = clocks_of(contender.gpu, reach);
  if (!clocks) return clocks.error();
  const auto limits = limits_of(contender.gpu, reach);
  std::vector<OperatingPoint> points;
  Collector collector(contender, points);
  for (const Outlook& outlook : contender.outlooks) collector.add_all(outlook, *clocks, limits);
  if (points.empty()) {
    return fail(Errc::unsupported, "{} draws more than any of its power limits at every clock",
                contender.gpu.name);
  }
  return points;
}

OperatingPoint default_point(const Contender& contender, const Outlook& outlook) {
  return {contender.gpu.name, outlook.condition().batch, std::nullopt, contender.gpu.limit.usual, true,
          outlook.at({})};
}

}  // namespace ergon::predict
