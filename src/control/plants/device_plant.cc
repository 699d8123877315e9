#include "control/plants/device_plant.h"

#include <algorithm>
#include <bit>

#include "base/contract.h"
#include "base/units_text.h"
#include "control/plants/request_latency.h"

namespace ergon::control {
namespace {

constexpr Seconds kIdleTime{1};
// Until an idle GPU is back at its clock and libraries are initialized.
constexpr Seconds kWarmUp{0.5};
// Polling interval for requests.
constexpr Seconds kPollInterval{0.001};

}  // namespace

DevicePlant::DevicePlant(profile::BatchExecutor& service, device::Device& device, Clock& clock,
                         Settings settings, meter::SensorFacts sensor, std::unique_ptr<meter::Meter> meter)
    : service_(service),
      device_(device),
      clock_(clock),
      settings_(std::move(settings)),
      sensor_(std::move(sensor)),
      meter_(std::move(meter)),
      start_(clock.now()) {}

Result<std::unique_ptr<DevicePlant>> DevicePlant::open(profile::BatchExecutor& service,
                                                       device::Device& device, Clock& clock,
                                                       Settings settings, const std::stop_token& stop) {
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
  const Seconds to = from + std::max(kIdleTime, sensor_.period * 3);
  Watts sum;
  int count = 0;
  Seconds newest;
  while (now() < to + kSensorTimeout && newest < to) {
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    clock_.sleep_until(clock_.now() + sensor_.period);
    for (const PowerReading& each : take_readings()) {
      newest = each.at;
      if (each.at < from) continue;
      sum += each.power;
      ++count;
    }
  }
  if (count == 0)
    return fail(Errc::io, "{}: no power reading within {}", device_.identity().id, to_text(now() - from));
  idle_ = sum / count;
  segments_.clear();
  return {};
}

Result<> DevicePlant::run_unrecorded(std::int64_t batch) {
  if (auto submitted = service_.submit(batch); !submitted) return submitted.error();
  if (auto finished = service_.finish(); !finished) return finished.error();
  return {};
}

Result<> DevicePlant::warm_up() {
  const auto& batches = settings_.knobs.batches;
  for (std::int64_t size = 1; settings_.arrivals.open() && size <= batches.back(); size *= 2) {
    if (auto ran = run_unrecorded(size); !ran) return ran;
  }
  const Instant until = clock_.now() + kWarmUp;
  while (clock_.now() < until) {
    if (auto ran = run_unrecorded(batches.front()); !ran) return ran;
  }
  return {};
}

std::vector<DevicePlant::PowerReading> DevicePlant::take_readings() {
  const auto traces = meter_->take_traces();
  std::vector<PowerReading> readings;
  for (const meter::TracePoint& each : traces.front()) {
    const Seconds at = each.at - start_;
    segments_.push_back({std::max(segments_until_, at - sensor_.period), at, each.power});
    segments_until_ = at;
    stuck_.add(each.power);
    readings.push_back({at, each.power});
  }
  return readings;
}

Result<> DevicePlant::set_point(const Point& point) {
  ERGON_EXPECTS(std::ranges::binary_search(settings_.knobs.batches, point.batch));
  if (point_ == point) return {};
  if (point.clock && (!point_ || point_->clock != point.clock)) {
    if (auto set = settings_.set_clock(*point.clock); !set) return set;
  }
  point_ = point;
  // On return the first batch at the new point is in flight and all earlier batches are complete.
  CompletedBatches before;
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

void DevicePlant::count(const std::vector<profile::CompletedBatch>& answers, CompletedBatches& done) {
  for (const profile::CompletedBatch& answer : answers) {
    const Seconds end = answer.done - start_;
    if (done.batches == 0) done.from = answer.began - start_;
    done.to = end;
    ++done.batches;
    const SubmittedBatch batch = std::move(submitted_.front());
    submitted_.pop_front();
    done.samples += static_cast<double>(batch.requests);
    done.busy += answer.time();
    done.longest = std::max(done.longest, answer.time());
    if (batch.arrivals.empty()) latencies_.push_back({answer.time(), static_cast<double>(answer.batch)});
    for (const Seconds arrival : batch.arrivals) {
      latencies_.push_back({end - arrival, 1});
      done.latencies.push_back(end - arrival);
    }
  }
}

Result<> DevicePlant::serve(std::int64_t batch, CompletedBatches& done) {
  SubmittedBatch submitted{batch, {}};
  std::int64_t size = batch;
  if (settings_.arrivals.open()) {
    const std::size_t waiting = settings_.arrivals.waiting(now());
    if (waiting == 0) {
      // No request waits: finish the batches in flight and wait.
      auto answers = service_.finish();
      if (!answers) return answers.error();
      count(*answers, done);
      const Seconds pause = std::clamp(settings_.arrivals.next() - now(), Seconds{0}, kPollInterval);
      clock_.sleep_until(clock_.now() + pause);
      return {};
    }
    submitted.requests = std::min<std::int64_t>(batch, static_cast<std::int64_t>(waiting));
    submitted.arrivals = settings_.arrivals.take(static_cast<std::size_t>(submitted.requests));
    const auto power = std::bit_ceil(static_cast<std::uint64_t>(submitted.requests));
    size = std::min(batch, static_cast<std::int64_t>(power));
  }
  submitted_.push_back(std::move(submitted));
  auto answers = service_.submit(size);
  if (!answers) return answers.error();
  count(*answers, done);
  return {};
}

Result<Feedback> DevicePlant::run(const Point& point, const Controller::DecisionInterval& interval) {
  const bool changed = point_ != point;
  if (const auto there = set_point(point); !there) return there.error();
  take_readings();
  const Seconds begun = now();
  IntervalPower power(sensor_, interval, changed, begun);
  CompletedBatches done;
  const auto unfinished = [&] {
    const Seconds here = now();
    if (power.incomplete(here)) return true;
    // With slow arrivals the number of batches may never be reached.
    const bool given_up =
        settings_.arrivals.open() && here > begun + std::max(power.min_time(), kSensorTimeout);
    return done.batches < interval.batches && !given_up;
  };
  while (unfinished()) {
    if (const auto served = serve(point.batch, done); !served) return served.error();
    for (const PowerReading& each : take_readings()) power.add(each.at, each.power);
    power.add_newest(stuck_);
  }
  Feedback feedback = feedback_of(std::move(done), begun);
  power.write_to(feedback, stuck_);
  return feedback;
}

Feedback DevicePlant::feedback_of(CompletedBatches done, Seconds begun) {
  const bool open = settings_.arrivals.open();
  Feedback feedback;
  feedback.at = now();
  feedback.point = *point_;
  feedback.samples = done.samples;
  feedback.lasted = open ? feedback.at - begun : done.to - done.from;
  feedback.latency = p99(std::move(done.latencies));
  if (!feedback.latency && done.batches > 0) feedback.latency = done.longest;
  const double capacity = static_cast<double>(point_->batch) * done.batches;
  feedback.saturated =
      !open || (done.samples >= kFullLoad * capacity && done.busy >= feedback.lasted * kFullLoad);
  if (const auto temperature = device_.temperature()) feedback.temperature = *temperature;
  return feedback;
}

}  // namespace ergon::control
