#include "fleet/account/gpu_timeline.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "base/square.h"

namespace ergon::fleet {
namespace {

constexpr Timestamp kNever{INT64_MAX};

// Orders by time; samples of the same time by their values, missing values last. The order therefore does not
// depend on the order in the logs.
bool comes_before(const Sample& a, const Sample& b) {
  if (a.at != b.at) return a.at < b.at;
  const auto key = [](const Sample& s) {
    const auto rank = [](double v) { return std::isnan(v) ? INFINITY : v; };
    return std::tuple(rank(s.power_watts), rank(s.temperature_celsius), rank(s.utilization_percent),
                      rank(s.memory_percent));
  };
  return key(a) < key(b);
}

bool shows_idle(const PerMetric<double>& values) {
  return values[static_cast<std::size_t>(Metric::utilization)] <= kMaxIdlePercent &&
         values[static_cast<std::size_t>(Metric::power)] <= kMaxIdleWatts;
}

bool same_sample(const Sample& a, const Sample& b) { return !comes_before(a, b) && !comes_before(b, a); }

}  // namespace

GpuTimeline::GpuTimeline(Seconds gap, std::uint64_t first_event)
    : gap_ns_(std::llround(gap.si() * 1e9)), next_event_(first_event), any_event_(first_event > 0) {}

void GpuTimeline::sort_samples() {
  if (sorted_ == samples_.size()) return;
  samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  if (!std::is_sorted(samples_.begin(), samples_.end(), comes_before))
    std::sort(samples_.begin(), samples_.end(), comes_before);
  const auto end = std::unique(samples_.begin(), samples_.end(), same_sample);
  sums_.duplicates += static_cast<std::uint64_t>(samples_.end() - end);
  samples_.erase(end, samples_.end());
  sorted_ = samples_.size();
}

void GpuTimeline::advance(const EventQueue& queue, Timestamp limit) {
  sort_samples();
  for (;;) {
    const Timestamp sample = next_ < samples_.size() ? samples_[next_].at : kNever;
    const Timestamp begin = next_event_ < queue.end() ? queue[next_event_].start : kNever;
    Timestamp stop_at = kNever;
    std::size_t stopping = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i].stop < stop_at) stop_at = active_[i].stop, stopping = i;
    }
    const Timestamp next = std::min({sample, begin, stop_at});
    if (next >= limit) break;
    pass(next);
    now_ = next;
    if (sample == next) {
      take_sample();
    } else if (stop_at == next) {
      stop(stopping);
    } else {
      start(queue);
    }
  }
}

void GpuTimeline::finish(const EventQueue& queue) {
  advance(queue, kNever);
  (any_event_ ? sums_.idle_after : sums_.idle_before) += idle_;
  idle_ = {};
  samples_ = {};
  next_ = sorted_ = 0;
}

// Values of the next sample; missing metrics are interpolated.
PerMetric<double> GpuTimeline::next_values() const {
  auto values = samples_[next_].values();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    if (!std::isnan(values[m]) || std::isnan(last_values_[m])) continue;
    for (std::size_t i = next_ + 1; i < samples_.size() && samples_[i].at.ns - known_at_[m].ns <= gap_ns_;
         ++i) {
      const double later = samples_[i].values()[m];
      if (std::isnan(later)) continue;
      const auto way = static_cast<double>(samples_[i].at.ns - last_->at.ns);
      const auto part = static_cast<double>(samples_[next_].at.ns - last_->at.ns);
      values[m] = way > 0 ? last_values_[m] + (later - last_values_[m]) * (part / way) : later;
      break;
    }
  }
  return values;
}

void GpuTimeline::take_sample() {
  const auto interpolated = next_values();
  const Sample& sample = samples_[next_++];
  constexpr auto kPower = static_cast<std::size_t>(Metric::power);
  if (last_) {
    const std::int64_t apart = sample.at.ns - last_->at.ns;
    if (apart > gap_ns_) {
      ++sums_.gaps;
      sums_.gap_time += sample.at - last_->at;
    } else if (const double joules =
                   (last_values_[kPower] + interpolated[kPower]) / 2 * (static_cast<double>(apart) / 1e9);
               !std::isnan(joules)) {
      sums_.total += {Joules{joules}, sample.at - last_->at};
    }
  } else {
    sums_.first = sample.at;
  }
  sums_.last = sample.at;
  ++sums_.samples;
  const auto values = sample.values();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    if (std::isnan(values[m])) continue;
    sums_.sum[m] += values[m];
    ++sums_.count[m];
    known_at_[m] = sample.at;
  }
  const bool busy = sample.utilization_percent > 0;
  sums_.busy += busy ? 1 : 0;
  if (busy && active_.empty()) ++sums_.busy_outside;
  activity_.sample(sample.at, sample.utilization_percent);
  history_.add(sample.at, sample.power_watts, sample.utilization_percent);
  for (const ActiveEvent& each : active_) ++totals(each.number).samples;
  last_ = sample;
  last_values_ = interpolated;
}

// Values of the sample nearest to now, the earlier of two equally near; unknown if none is within a gap.
PerMetric<double> GpuTimeline::nearest() const {
  const std::int64_t before = last_ ? now_.ns - last_->at.ns : INT64_MAX;
  const std::int64_t after = next_ < samples_.size() ? samples_[next_].at.ns - now_.ns : INT64_MAX;
  if (std::min(before, after) > gap_ns_) return kAllUnknown;
  return before <= after ? last_->values() : samples_[next_].values();
}

void GpuTimeline::start(const EventQueue& queue) {
  if (active_.empty()) {
    (any_event_ ? sums_.idle_between : sums_.idle_before) += idle_;
    idle_ = {};
    any_event_ = true;
  }
  const Event& event = queue[next_event_];
  const auto after =
      std::ranges::upper_bound(active_, event.task, {}, [](const ActiveEvent& each) { return each.task; });
  const bool first_of_task = after == active_.begin() || std::prev(after)->task != event.task;
  // STARTs before the first sample of the GPU do not count.
  if (last_ && first_of_task) activity_.start(now_);
  active_.insert(after, {next_event_++, event.task, event.stop});
  totals_.emplace_back().at_start = nearest();
  divide_power();
}

void GpuTimeline::stop(std::size_t i) {
  totals(active_[i].number).at_stop = nearest();
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
  divide_power();
}

// Divides the power among the tasks equally, and the part of a task among its innermost events. An event also
// has the parts of the events inside it. An event contains each later one of its task that does not stop
// after it.
void GpuTimeline::divide_power() {
  if (active_.size() <= 1) {
    tasks_ = active_.size();
    for (ActiveEvent& each : active_) each.share = each.parts = 1;
    return;
  }
  const auto task_of = [](const ActiveEvent& event) { return event.task; };
  tasks_ = 0;
  for (auto begin = active_.begin(); begin != active_.end(); ++tasks_)
    begin = std::ranges::upper_bound(begin, active_.end(), begin->task, {}, task_of);
  for (auto begin = active_.begin(); begin != active_.end();) {
    const auto end = std::ranges::upper_bound(begin, active_.end(), begin->task, {}, task_of);
    innermost_stops_.clear();  // descending
    for (auto event = end; event-- != begin;) {
      const bool innermost = innermost_stops_.empty() || event->stop < innermost_stops_.back();
      if (innermost) innermost_stops_.push_back(event->stop);
      const auto inside = std::ranges::lower_bound(innermost_stops_, event->stop, std::ranges::greater{});
      event->share = static_cast<double>(innermost_stops_.end() - inside);
      event->parts = innermost ? 1 : 0;
    }
    const double parts = static_cast<double>(tasks_) * static_cast<double>(innermost_stops_.size());
    for (; begin != end; ++begin) {
      begin->share /= parts;
      begin->parts *= parts;
    }
  }
}

void GpuTimeline::pass(Timestamp until) {
  if (!last_ || next_ == samples_.size() || until <= now_) return;
  const Sample& to = samples_[next_];
  const std::int64_t apart = to.at.ns - last_->at.ns;
  if (apart > gap_ns_) return;
  const double seconds = static_cast<double>(until.ns - now_.ns) / 1e9;
  const double share_of_way =
      (static_cast<double>(now_.ns - last_->at.ns) + static_cast<double>(until.ns - now_.ns) / 2) /
      static_cast<double>(apart);
  const auto &from_values = last_values_, to_values = next_values();
  PerMetric<double> integral, known;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    integral[m] = (from_values[m] + (to_values[m] - from_values[m]) * share_of_way) * seconds;
    known[m] = seconds;
    if (std::isnan(integral[m])) integral[m] = known[m] = 0;
  }
  constexpr auto kPower = static_cast<std::size_t>(Metric::power);
  const EnergyTime spent{Joules{integral[kPower]}, Seconds{known[kPower]}};
  if (active_.empty()) {
    (shows_idle(from_values) && shows_idle(to_values) ? idle_ : sums_.unattributed) += spent;
    return;
  }
  sums_.events += spent;
  if (tasks_ > 1) sums_.shared += spent;
  // Power may have changed from one value to the other at any time in between: a uniform distribution over
  // the difference.
  const double variance =
      known[kPower] > 0 ? square((to_values[kPower] - from_values[kPower]) * seconds) / 12 : 0;
  for (const ActiveEvent& each : active_) {
    GpuEventTotals& own = totals(each.number);
    for (std::size_t m = 0; m < kMetrics; ++m) {
      own.integral[m] += m == kPower ? integral[m] * each.share : integral[m];
      own.seconds[m] += known[m];
    }
    own.shared = own.shared || (tasks_ > 1 && known[kPower] > 0);
    own.variance += variance * square(each.share);
    if (each.parts == 0) continue;
    own.exclusive_energy += Joules{integral[kPower] / each.parts};
    own.exclusive_time += Seconds{known[kPower] / each.parts};
  }
}

}  // namespace ergon::fleet
