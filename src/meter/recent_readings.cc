#include "meter/recent_readings.h"

#include <algorithm>
#include <cmath>

namespace ergon::meter {
namespace {

constexpr std::size_t kKept = 256;  // readings, and as many counter values
constexpr double kPeriods = 4;      // around a window, but
constexpr Seconds kMinAround{0.15}, kMaxAround{0.4};
constexpr double kUniform = 3.4641016151377544;  // bracket of a uniform distribution / standard deviation

constexpr double kOneStep = 0.6;  // periods: shorter brackets hold one step

// A longer bracket, because reads were held up, may hold several steps, and the time of the last is not
// uniform in it.
constexpr Seconds kMaxBracket{0.06};

constexpr Seconds kKnown{0.001};  // standard deviation of the steps' times

constexpr double kRunningMean = 1.5;   // periods per averaging window, as in Recorder
constexpr Seconds kMeanJitter{0.015};  // of the ends of running means (H200, field `usage`)

template <typename T>
void keep(std::deque<T>& all, const T& newest) {
  all.push_back(newest);
  if (all.size() > kKept) all.pop_front();
}

}  // namespace

GridTime RecentReadings::time_of(const SensorUpdate& update) const {
  const GridTime read{update.at, update.bracket / kUniform};
  if (facts_.field == device::PowerField::samples || !updates_.known()) return read;
  const GridTime grid = updates_.nearest(update.at);
  const Seconds off{std::fabs((grid.at - update.at).si())};
  return grid.deviation < read.deviation && off <= update.bracket ? grid : read;
}

void RecentReadings::add(const SensorUpdate& update) {
  if (facts_.field != device::PowerField::samples) updates_.add(update.at, update.bracket);
  const GridTime time = time_of(update);
  const bool running = facts_.window > facts_.period * kRunningMean;
  const Seconds deviation{std::hypot(time.deviation.si(), running ? kMeanJitter.si() : 0.0)};
  keep(readings_, {time.at + update.window * -1.0, time.at, deviation, update.power, facts_.noise});
}

void RecentReadings::read_counter(Instant began, Instant ended, Joules counted) {
  const std::optional<Instant> before = std::exchange(last_read_, began);
  const std::optional<Joules> last = std::exchange(counted_, counted);
  if (last == counted) return;
  if (!before || !last) {
    if (!steps_.known()) return;
  } else {
    const Seconds bracket = ended - *before;
    const Instant step = *before + bracket / 2;
    steps_.add(step, bracket);
    if (!steps_.known()) {
      if (bracket <= kMaxBracket) keep(counter_, {step, bracket / kUniform, counted});
      return;
    }
  }
  // The counter has the value of its last step, whose time is that of the grid. If the counter stepped while
  // the read was held up, the value may be that before the step or after it.
  const bool seen = before && last && ended - *before < steps_.period() * kOneStep;
  const auto at =
      seen ? std::optional(steps_.nearest(*before + (ended - *before) / 2)) : steps_.last_before(began);
  if (const auto later = steps_.last_before(ended); !seen && (!later || (at && later->at > at->at))) return;
  if (!at || (!counter_.empty() && at->at <= counter_.back().at)) return;
  keep(counter_, {at->at, at->deviation, counted});
}

bool RecentReadings::knows_steps(Instant now) const {
  return steps_.known() && steps_.nearest(now).deviation <= kKnown;
}

void RecentReadings::drop_counter() { counter_.clear(); }

WindowData RecentReadings::around(Instant from, Instant to) const {
  const Seconds around = std::clamp(facts_.period * kPeriods, kMinAround, kMaxAround);
  const Instant earliest = from + around * -1.0, latest = to + around;
  WindowData data;
  data.swing = swing_;
  for (const MeanPower& reading : readings_) {
    if (reading.begin > earliest && reading.begin < latest) data.readings.push_back(reading);
  }
  for (const CounterPoint& point : counter_) {
    if (point.at >= earliest && point.at <= latest) data.counter.push_back(point);
  }
  return data;
}

}  // namespace ergon::meter
