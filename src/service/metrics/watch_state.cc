#include "service/metrics/watch_state.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::service {
namespace {

// Readings come a little early at times; a point of each of them is kept all the same.
constexpr double kEarly = 0.9;

template <typename Q>
std::optional<Q> finite_only(const std::optional<Q>& value) {
  return value && std::isfinite(value->si()) ? value : std::nullopt;
}

}  // namespace

WatchState::WatchState(const GpuReading& who, const WatchLimits& limits)
    : limits_(limits), newest_(silent(who)) {
  ERGON_EXPECTS(limits.history > Seconds{0} && limits.spacing > Seconds{0} &&
                limits.longest_gap > Seconds{0});
}

template <typename Q>
std::optional<Seconds> WatchState::since(const std::optional<Seen<Q>>& before, Instant now) const {
  if (!before || now <= before->at || now - before->at > limits_.longest_gap) return std::nullopt;
  return now - before->at;
}

void WatchState::step(const GpuReading& reading, Instant now) {
  ERGON_EXPECTS(reading.identity.uuid == newest_.identity.uuid && now >= newest_at_);
  newest_at_ = now;
  newest_ = reading.answers ? reading : silent(reading);
  newest_.power = finite_only(newest_.power);
  newest_.energy = finite_only(newest_.energy);
  if (!newest_.power && newest_.energy) {
    if (const auto passed = since(counter_, now); passed && *newest_.energy >= counter_->value) {
      newest_.power = (*newest_.energy - counter_->value) / *passed;
    }
  }
  const std::optional<Joules> counted = newest_.energy;
  newest_.energy = total(newest_, now);
  if (newest_.power) power_ = {*newest_.power, now};
  if (counted) counter_ = {*counted, now};
  keep(newest_, now);
}

std::optional<Joules> WatchState::total(const GpuReading& reading, Instant now) {
  if (reading.energy) {
    before_counter_ = std::max(before_counter_, total_ - *reading.energy);
    total_ = std::max(total_, *reading.energy + before_counter_);
    return total_;
  }
  // One that could not be read this time.
  if (counter_ || !reading.power) return std::nullopt;
  if (const auto passed = since(power_, now)) {
    total_ += std::max(Joules{0}, (power_->value + *reading.power) / 2 * *passed);
  }
  return total_;
}

void WatchState::keep(const GpuReading& reading, Instant now) {
  while (!history_.empty() && now - history_.front().at > limits_.history) history_.pop_front();
  if (!reading.power) return;
  if (!history_.empty() && now - history_.back().at < limits_.spacing * kEarly) return;
  history_.push_back({now, {reading.at, *reading.power}});
}

WatchedDevice WatchState::seen(Instant now) const {
  WatchedDevice device;
  device.reading = now - newest_at_ > limits_.longest_gap ? silent(newest_) : newest_;
  for (const Kept& each : history_) {
    if (now - each.at <= limits_.history) device.history.push_back(each.point);
  }
  return device;
}

}  // namespace ergon::service
