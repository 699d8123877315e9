#include "service/metrics/monitor_state.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::service {
namespace {

// Readings may come slightly early; this tolerance stores a point for each of them.
constexpr double kSpacingTolerance = 0.9;

template <typename Q>
std::optional<Q> finite_only(const std::optional<Q>& value) {
  return value && std::isfinite(value->si()) ? value : std::nullopt;
}

}  // namespace

MonitorState::MonitorState(const GpuReading& identity, const MonitorLimits& limits)
    : limits_(limits), latest_(cleared_reading(identity)) {
  ERGON_EXPECTS(limits.history > Seconds{0} && limits.spacing > Seconds{0} && limits.max_gap > Seconds{0});
}

template <typename Q>
std::optional<Seconds> MonitorState::elapsed_since(const std::optional<TimedValue<Q>>& before,
                                                   Instant now) const {
  if (!before || now <= before->at || now - before->at > limits_.max_gap) return std::nullopt;
  return now - before->at;
}

void MonitorState::add_reading(const GpuReading& reading, Instant now) {
  ERGON_EXPECTS(reading.identity.uuid == latest_.identity.uuid && now >= latest_at_);
  latest_at_ = now;
  latest_ = reading.responding ? reading : cleared_reading(reading);
  latest_.power = finite_only(latest_.power);
  latest_.energy = finite_only(latest_.energy);
  if (!latest_.power && latest_.energy) {
    if (const auto passed = elapsed_since(counter_, now); passed && *latest_.energy >= counter_->value) {
      latest_.power = (*latest_.energy - counter_->value) / *passed;
    }
  }
  const std::optional<Joules> counted = latest_.energy;
  latest_.energy = update_total(latest_, now);
  if (latest_.energy && !first_total_) first_total_ = latest_.energy;
  if (latest_.power) power_ = {*latest_.power, now};
  if (counted) counter_ = {*counted, now};
  add_history(latest_, now);
}

std::optional<Joules> MonitorState::update_total(const GpuReading& reading, Instant now) {
  if (reading.energy) {
    counter_offset_ = std::max(counter_offset_, total_ - *reading.energy);
    total_ = std::max(total_, *reading.energy + counter_offset_);
    return total_;
  }
  // The counter could not be read this time.
  if (counter_ || !reading.power) return std::nullopt;
  if (const auto passed = elapsed_since(power_, now)) {
    total_ += std::max(Joules{0}, (power_->value + *reading.power) / 2 * *passed);
  }
  return total_;
}

void MonitorState::add_history(const GpuReading& reading, Instant now) {
  while (!history_.empty() && now - history_.front().at > limits_.history) history_.pop_front();
  if (!reading.power) return;
  if (!history_.empty() && now - history_.back().at < limits_.spacing * kSpacingTolerance) return;
  history_.push_back({now, {reading.at, *reading.power}});
}

MonitoredDevice MonitorState::device_at(Instant now) const {
  MonitoredDevice device;
  device.reading = now - latest_at_ > limits_.max_gap ? cleared_reading(latest_) : latest_;
  for (const HistoryEntry& each : history_) {
    if (now - each.at <= limits_.history) device.history.push_back(each.point);
  }
  if (first_total_) device.energy_since_start = total_ - *first_total_;
  return device;
}

}  // namespace ergon::service
