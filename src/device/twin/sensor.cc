#include "device/twin/sensor.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::device {

std::int64_t nanoseconds(Seconds time) { return std::llround(time.si() * 1e9); }

Sensor::Sensor(const SensorModel& model, Watts before, std::uint64_t seed)
    : model_(model), period_(nanoseconds(model.period)), window_(nanoseconds(model.window)), random_(seed) {
  ERGON_EXPECTS(period_ > 0 && window_ > 0);
  begun_.resize(static_cast<std::size_t>(window_ / period_) + 1);
  publish(before, 0);
  next_end_ = period_;
  next_begin_ = next_end_ - window_;
  for (; next_begin_ <= 0; next_begin_ += period_) {
    begun_[newest_] = before * Seconds{static_cast<double>(next_begin_) / 1e9};
    newest_ = (newest_ + 1) % begun_.size();
  }
  update_due();
}

void Sensor::add_energy(Joules energy) {
  if (due_.ns == next_begin_) {
    begun_[newest_] = energy;
    newest_ = (newest_ + 1) % begun_.size();
    next_begin_ += period_;
  }
  if (due_.ns == next_end_) {
    publish((energy - begun_[oldest_]) / model_.window, next_end_);
    oldest_ = (oldest_ + 1) % begun_.size();
    next_end_ += period_;
  }
  update_due();
}

void Sensor::publish(Watts mean, std::int64_t at) {
  reading_ = mean * model_.gain + model_.offset;
  if (model_.noise > Watts{0}) reading_ += model_.noise * random_.normal();
  reading_ = std::max(reading_, Watts{0});
  const Update update{Seconds{static_cast<double>(at) / 1e9}, reading_};
  if (updates_.size() < kHistoryLength) return updates_.push_back(update);
  updates_[oldest_update_] = update;
  oldest_update_ = (oldest_update_ + 1) % kHistoryLength;
}

std::vector<Sensor::Update> Sensor::history() const {
  std::vector<Update> all = updates_;
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(oldest_update_), all.end());
  return all;
}

void Sensor::update_due() { due_ = Instant{std::min(next_begin_, next_end_)}; }

}  // namespace ergon::device
