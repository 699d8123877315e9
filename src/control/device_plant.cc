#include "control/device_plant.h"

#include <algorithm>
#include <bit>

#include "base/contract.h"
#include "base/units_text.h"
#include "control/looks.h"
#include "control/part_load.h"

namespace ergon::control {
namespace {

constexpr Seconds kIdleFor{1};
// Until a chip that did nothing is at its clock again, and libraries have set themselves up.
constexpr Seconds kWarmUp{0.5};
// Where a sensor should have told something new: how long it is waited for.
constexpr Seconds kPatience{1};
// Until power shows in full what was changed: after 50 ms an H200's readings still held a third of what was
// before.
constexpr Seconds kLag{0.06};
// So often in a row the same to the last digit.
constexpr int kStuck = 25;
// Between looks for a request while none waits.
constexpr Seconds kPause{0.001};

}  // namespace

DevicePlant::DevicePlant(profile::Service& service, device::Device& device, Clock& clock, Settings settings,
                         meter::SensorFacts sensor, std::unique_ptr<meter::Meter> meter)
    : service_(service),
      device_(device),
      clock_(clock),
      settings_(std::move(settings)),
      sensor_(std::move(sensor)),
      meter_(std::move(meter)),
      start_(clock.now()) {}

Result<std::unique_ptr<DevicePlant>> DevicePlant::open(profile::Service& service, device::Device& device,
                                                       Clock& clock, Settings settings,
                                                       const std::stop_token& stop) {
  ERGON_EXPECTS(!settings.knobs.batches.empty());
  ERGON_EXPECTS(settings.knobs.clocks.empty() == !settings.set_clock);
  auto sensor = meter::best_sensor(device);
  if (!sensor) return sensor.error();
  auto meter = meter::Meter::start({&device}, clock, {.keep_readings = true, .prompt = true}, stop);
  if (!meter) return meter.error();
  std::unique_ptr<DevicePlant> plant(
      new DevicePlant(service, device, clock, std::move(settings), std::move(*sensor), std::move(*meter)));
  if (auto measured = plant->measure_idle(stop); !measured) return measured.error();
  if (auto warm = plant->warm_up(); !warm) return warm.error();
  return plant;
}

Result<> DevicePlant::measure_idle(const std::stop_token& stop) {
  if (auto finished = service_.finish(); !finished) return finished.error();
  const Seconds from = now() + sensor_.window;
  const Seconds to = from + std::max(kIdleFor, sensor_.period * 3);
  while (now() < to + kPatience && (updates_.empty() || updates_.back().at < to)) {
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    clock_.sleep_until(clock_.now() + sensor_.period);
    listen();
  }
  Watts sum;
  int count = 0;
  for (const Update& each : updates_) {
    if (each.at < from) continue;
    sum += each.power;
    ++count;
  }
  if (count == 0)
    return fail(Errc::io, "{}: no power was read within {}", device_.identity().id, to_text(now() - from));
  idle_ = sum / count;
  passed_.clear();
  return {};
}

Result<> DevicePlant::run_unwatched(std::int64_t batch) {
  if (auto asked = service_.ask(batch); !asked) return asked.error();
  if (auto finished = service_.finish(); !finished) return finished.error();
  return {};
}

Result<> DevicePlant::warm_up() {
  const auto& batches = settings_.knobs.batches;
  for (std::int64_t size = 1; settings_.arrivals.open() && size <= batches.back(); size *= 2) {
    if (auto ran = run_unwatched(size); !ran) return ran;
  }
  const Instant until = clock_.now() + kWarmUp;
  while (clock_.now() < until) {
    if (auto ran = run_unwatched(batches.front()); !ran) return ran;
  }
  return {};
}

void DevicePlant::listen() {
  const auto traces = meter_->take_traces();
  for (const meter::TracePoint& each : traces.front()) {
    const Seconds at = each.at - start_;
    passed_.push_back({std::max(told_, at - sensor_.period), at, each.power});
    told_ = at;
    unchanged_ = newest_ == each.power ? unchanged_ + 1 : 0;
    newest_ = each.power;
    updates_.push_back({at, each.power});
  }
}

Result<> DevicePlant::go_to(const Point& point) {
  ERGON_EXPECTS(std::ranges::binary_search(settings_.knobs.batches, point.batch));
  if (point_ == point) return {};
  if (point.clock && (!point_ || point_->clock != point.clock)) {
    if (auto set = settings_.set_clock(*point.clock); !set) return set;
  }
  point_ = point;
  // The first batch is on its way when this comes back, and all before it are done.
  Done before;
  if (settings_.arrivals.open()) {
    auto answers = service_.finish();
    if (!answers) return answers.error();
    count(*answers, before);
    return {};
  }
  for (int i = 0; i < 2; ++i) {
    if (auto served = serve(point.batch, before); !served) return served;
  }
  return {};
}

void DevicePlant::count(const std::vector<profile::Answer>& answers, Done& done) {
  for (const profile::Answer& answer : answers) {
    const Seconds end = answer.done - start_;
    if (done.batches == 0) done.from = answer.began - start_;
    done.to = end;
    ++done.batches;
    const Asked asked = std::move(asked_.front());
    asked_.pop_front();
    done.samples += static_cast<double>(asked.requests);
    done.busy += answer.time();
    done.longest = std::max(done.longest, answer.time());
    if (asked.came.empty()) latencies_.push_back({answer.time(), static_cast<double>(answer.batch)});
    for (const Seconds came : asked.came) {
      latencies_.push_back({end - came, 1});
      done.latencies.push_back(end - came);
    }
  }
}

Result<> DevicePlant::serve(std::int64_t batch, Done& done) {
  Asked asked{batch, {}};
  std::int64_t size = batch;
  if (settings_.arrivals.open()) {
    const std::size_t waiting = settings_.arrivals.waiting(now());
    if (waiting == 0) {
      // Nothing to do: what is under way ends, and time passes.
      auto answers = service_.finish();
      if (!answers) return answers.error();
      count(*answers, done);
      const Seconds pause = std::clamp(settings_.arrivals.next() - now(), Seconds{0}, kPause);
      clock_.sleep_until(clock_.now() + pause);
      return {};
    }
    asked.requests = std::min<std::int64_t>(batch, static_cast<std::int64_t>(waiting));
    asked.came = settings_.arrivals.take(static_cast<std::size_t>(asked.requests));
    const auto power = std::bit_ceil(static_cast<std::uint64_t>(asked.requests));
    size = std::min(batch, static_cast<std::int64_t>(power));
  }
  asked_.push_back(std::move(asked));
  auto answers = service_.ask(size);
  if (!answers) return answers.error();
  count(*answers, done);
  return {};
}

Result<Reading> DevicePlant::run(const Point& point, const Controller::Patience& patience) {
  const bool changed = point_ != point, stale_counts = patience.sensor_updates <= 0;
  if (const auto there = go_to(point); !there) return there.error();
  listen();
  updates_.clear();
  const Seconds until_shown = sensor_.window + (changed ? kLag : Seconds{0});
  const Seconds begun = now(), fresh_from = begun + until_shown;
  const Seconds least = stale_counts ? Seconds{0} : until_shown + sensor_.period * patience.sensor_updates;
  const auto fresh = [&](const Update& each) { return each.at >= fresh_from; };

  Done done;
  const auto wanted = [&] {
    const Seconds here = now();
    // Drivers tell late.
    const auto told = static_cast<double>(std::ranges::count_if(updates_, fresh));
    if (told < patience.sensor_updates && here < begun + least + kPatience) return true;
    if (here < begun + least) return true;
    // Where requests come slowly, so many batches may never be.
    const bool given_up = settings_.arrivals.open() && here > begun + std::max(least, kPatience);
    return done.batches < patience.batches && !given_up;
  };
  Looks looks;
  while (wanted()) {
    if (const auto served = serve(point.batch, done); !served) return served.error();
    listen();
    if (stale_counts && newest_ && unchanged_ < kStuck) looks.see(*newest_);
  }
  for (const Update& each : updates_) {
    if (!stale_counts && fresh(each) && unchanged_ < kStuck) looks.see(each.power);
  }
  Reading reading = reading_of(std::move(done), begun);
  looks.tell(reading);
  return reading;
}

Reading DevicePlant::reading_of(Done done, Seconds begun) {
  const bool open = settings_.arrivals.open();
  Reading reading;
  reading.at = now();
  reading.point = *point_;
  reading.samples = done.samples;
  reading.lasted = open ? reading.at - begun : done.to - done.from;
  reading.latency = late_one(std::move(done.latencies));
  if (!reading.latency && done.batches > 0) reading.latency = done.longest;
  const double could = static_cast<double>(point_->batch) * done.batches;
  reading.saturated = !open || (done.samples >= kFull * could && done.busy >= reading.lasted * kFull);
  if (const auto temperature = device_.temperature()) reading.temperature = *temperature;
  return reading;
}

}  // namespace ergon::control
