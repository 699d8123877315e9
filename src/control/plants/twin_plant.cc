#include "control/plants/twin_plant.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "control/plants/request_latency.h"
#include "control/power_statistics.h"
#include "device/twin/estimate.h"

namespace ergon::control {
namespace {

// Length of a power segment.
constexpr Seconds kStep{0.02};
// Minimum time step.
constexpr Seconds kMinStep{1e-6};
// Maximum wait for requests in one decision.
constexpr Seconds kMaxWait{1};

}  // namespace

const device::SensorModel& fastest_sensor(const device::Specification& gpu) {
  ERGON_EXPECTS(!gpu.sensors.empty());
  return *std::min_element(gpu.sensors.begin(), gpu.sensors.end(), [](const auto& a, const auto& b) {
    return a.window + a.period < b.window + b.period;
  });
}

std::vector<Hertz> evenly_spaced_clocks(const device::Specification& gpu, std::size_t count) {
  const device::ClockGrid grid(gpu.core);
  count = std::clamp<std::size_t>(count, 1, grid.size());
  std::vector<Hertz> clocks;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t step = count == 1 ? grid.highest() : i * grid.highest() / (count - 1);
    if (clocks.empty() || clocks.back() < grid.at(step)) clocks.push_back(grid.at(step));
  }
  return clocks;
}

TwinPlant::TwinPlant(graph::Network network, const device::Specification& gpu, const Settings& settings)
    : network_(std::make_shared<const graph::Network>(std::move(network))),
      settings_(settings),
      twin_(gpu, settings.seed),
      sensor_(fastest_sensor(gpu)) {
  if (settings.may_set_clock) knobs_.clocks = evenly_spaced_clocks(gpu, settings.clocks);
}

Result<TwinPlant> TwinPlant::of(graph::Network network, device::Specification gpu, const Settings& settings) {
  TwinPlant plant(std::move(network), gpu, settings);
  const auto wanted = settings.batches.empty() ? batches_up_to(settings.max_batch) : settings.batches;
  // Memory rises with the batch: bisection for the largest that fits.
  const auto fits = [&](std::int64_t batch) -> Result<> {
    const auto work = device::workload_of(*plant.network_, batch, graph::Mode::inference, settings.precision);
    if (!work) return work.error();
    if (const auto memory = device::memory_on(*work, gpu); !memory) return memory.error();
    return {};
  };
  if (const auto smallest = fits(wanted.front()); !smallest) return smallest.error();
  auto low = wanted.begin(), high = wanted.end();
  while (std::distance(low, high) > 1) {
    const auto middle = low + std::distance(low, high) / 2;
    (fits(*middle) ? low : high) = middle;
  }
  plant.knobs_.batches.assign(wanted.begin(), high);
  plant.twin_.open_context();
  // Let the context settle.
  plant.twin_.advance(Seconds{1});
  return plant;
}

Watts TwinPlant::sensor_value(Watts truth) const { return truth * sensor_.gain + sensor_.offset; }

Watts TwinPlant::idle_power() const {
  const device::Specification& gpu = twin_.specification();
  const Hertz lowest = knobs_.clocks.empty() ? gpu.core.max : knobs_.clocks.front();
  return sensor_value(device::resident_power(gpu, lowest, gpu.thermal.ambient));
}

Result<std::shared_ptr<const device::Load>> TwinPlant::load(std::int64_t batch) {
  auto& known = loads_[batch];
  if (!known) {
    const auto work = device::workload_of(*network_, batch, graph::Mode::inference, settings_.precision);
    if (!work) return work.error();
    known = std::make_shared<const device::Load>(*work, twin_.specification());
  }
  return known;
}

void TwinPlant::advance(Seconds time) {
  if (time <= Seconds{0}) return;
  const Joules before = twin_.true_energy();
  const Seconds from = twin_.now();
  twin_.advance(time);
  segments_.push_back(
      {from, twin_.now(), sensor_value((twin_.true_energy() - before) / (twin_.now() - from))});
}

Result<> TwinPlant::set_point(const Point& point) {
  ERGON_EXPECTS(std::binary_search(knobs_.batches.begin(), knobs_.batches.end(), point.batch));
  const std::optional<Hertz> before = twin_.locked_clock();
  const bool other_clock = point.clock != before, other_batch = !point_ || point.batch != point_->batch;
  if (other_clock && point.clock) {
    if (const auto locked = twin_.lock_clock(*point.clock); !locked) return locked.error();
  } else if (other_clock) {
    twin_.unlock_clock();
  }
  // Reductions come first: a lower clock must be in force before the new batch starts.
  const Hertz max_clock = twin_.specification().core.max;
  const bool down = point.clock.value_or(max_clock) < before.value_or(max_clock);
  const Seconds switch_time = other_clock ? twin_.specification().clock_switch : Seconds{0};
  if (down) advance(switch_time);
  if (other_batch && !settings_.arrivals.open()) {
    const auto work = load(point.batch);
    if (!work) return work.error();
    twin_.run(*work);
  }
  if (!down) advance(switch_time);
  point_ = point;
  return {};
}

Result<> TwinPlant::serve(std::int64_t batch, ServedRequests& served) {
  Arrivals& arrivals = settings_.arrivals;
  const auto waiting = static_cast<std::int64_t>(arrivals.waiting(twin_.now()));
  if (waiting == 0) {
    advance(std::min(kStep, std::max(arrivals.next() - twin_.now(), kMinStep)));
    return {};
  }
  const std::int64_t taken = std::min(batch, waiting);
  const auto work = load(taken);
  if (!work) return work.error();
  const auto arrived = arrivals.take(static_cast<std::size_t>(taken));
  const Seconds began = twin_.now();
  twin_.run(*work, 1);
  // The power limit may make it slower than its clock implies.
  while (twin_.running()) advance(std::clamp((*work)->at(twin_.clock()).time / 8, kMinStep, kStep));
  ++served.batches;
  served.samples += static_cast<double>(taken);
  served.busy += twin_.now() - began;
  for (const Seconds each : arrived) {
    served.latencies.push_back(twin_.now() - each);
    latencies_.push_back({twin_.now() - each, 1});
  }
  return {};
}

Result<Feedback> TwinPlant::run(const Point& point, const Controller::DecisionInterval& interval) {
  const bool stale_counts = interval.sensor_updates <= 0, open = settings_.arrivals.open();
  if (const auto there = set_point(point); !there) return there.error();
  const Seconds begun = twin_.now();
  // A reading is fresh once its whole window lies at this point.
  const Seconds fresh_from = begun + sensor_.window;
  const Seconds min_time =
      stale_counts ? Seconds{0} : sensor_.window + sensor_.period * interval.sensor_updates;
  const double iterations = twin_.iterations();

  PowerStatistics powers;
  ServedRequests served;
  const auto batches = static_cast<double>(interval.batches);
  const auto too_few = [&] {
    if (!open) return twin_.iterations() - iterations < batches;
    // With slow arrivals the number of batches may never be reached.
    return served.batches < interval.batches && twin_.now() - begun < std::max(min_time, kMaxWait);
  };
  while (too_few() || twin_.now() - begun < min_time) {
    if (!open) {
      advance(kStep);
    } else if (const auto done = serve(point.batch, served); !done) {
      return done.error();
    }
    if (stale_counts) powers.add(*twin_.power(sensor_.field));
  }
  if (!stale_counts) {
    const auto updates = twin_.history(sensor_.field);
    if (!updates) return updates.error();
    for (const auto& update : *updates) {
      if (update.at >= fresh_from) powers.add(update.power);
    }
  }
  Feedback feedback;
  powers.write_to(feedback);
  feedback.at = twin_.now();
  feedback.lasted = twin_.now() - begun;
  feedback.point = point;
  feedback.temperature = twin_.temperature();
  if (open) {
    feedback.samples = served.samples;
    feedback.latency = p99(served.latencies);
    feedback.saturated = served.samples >= kFullLoad * static_cast<double>(point.batch * served.batches) &&
                         served.busy >= feedback.lasted * kFullLoad;
    return feedback;
  }
  feedback.samples = (twin_.iterations() - iterations) * static_cast<double>(point.batch);
  if (feedback.samples > 0) {
    feedback.latency = feedback.lasted / (feedback.samples / static_cast<double>(point.batch));
    latencies_.push_back({*feedback.latency, feedback.samples});
  }
  return feedback;
}

}  // namespace ergon::control
