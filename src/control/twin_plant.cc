#include "control/twin_plant.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "control/looks.h"
#include "control/part_load.h"
#include "device/twin/estimate.h"

namespace ergon::control {
namespace {

// How finely passed() tells power.
constexpr Seconds kStep{0.02};
// The shortest time that passes.
constexpr Seconds kShortest{1e-6};
// A decision does not wait longer for requests that do not come.
constexpr Seconds kLongest{1};

}  // namespace

const device::SensorModel& quickest_sensor(const device::Specification& gpu) {
  ERGON_EXPECTS(!gpu.sensors.empty());
  return *std::min_element(gpu.sensors.begin(), gpu.sensors.end(), [](const auto& a, const auto& b) {
    return a.window + a.period < b.window + b.period;
  });
}

std::vector<Hertz> some_clocks(const device::Specification& gpu, std::size_t count) {
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
      sensor_(quickest_sensor(gpu)) {
  if (settings.may_set_clock) knobs_.clocks = some_clocks(gpu, settings.clocks);
}

Result<TwinPlant> TwinPlant::of(graph::Network network, device::Specification gpu, const Settings& settings) {
  TwinPlant plant(std::move(network), gpu, settings);
  std::vector<std::int64_t> wanted = settings.batches;
  if (wanted.empty()) {
    for (std::int64_t batch = 1; batch <= settings.most; ++batch) wanted.push_back(batch);
  }
  // Memory rises with the batch: the highest that fits is looked for, not all tried.
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
  // The chip has been awake for a while.
  plant.twin_.advance(Seconds{1});
  return plant;
}

Watts TwinPlant::shown(Watts truth) const { return truth * sensor_.gain + sensor_.offset; }

Watts TwinPlant::idle_power() const {
  const device::Specification& gpu = twin_.specification();
  const Hertz lowest = knobs_.clocks.empty() ? gpu.core.most : knobs_.clocks.front();
  return shown(device::resident_power(gpu, lowest, gpu.thermal.ambient));
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

void TwinPlant::pass(Seconds time) {
  if (time <= Seconds{0}) return;
  const Joules before = twin_.true_energy();
  const Seconds from = twin_.now();
  twin_.advance(time);
  passed_.push_back({from, twin_.now(), shown((twin_.true_energy() - before) / (twin_.now() - from))});
}

Result<> TwinPlant::go_to(const Point& point) {
  ERGON_EXPECTS(std::binary_search(knobs_.batches.begin(), knobs_.batches.end(), point.batch));
  const std::optional<Hertz> before = twin_.locked_clock();
  const bool other_clock = point.clock != before, other_batch = !point_ || point.batch != point_->batch;
  if (other_clock && point.clock) {
    if (const auto locked = twin_.lock_clock(*point.clock); !locked) return locked.error();
  } else if (other_clock) {
    twin_.unlock_clock();
  }
  // What saves power comes first: a clock that goes down needs its time before a batch may begin.
  const Hertz most = twin_.specification().core.most;
  const bool down = point.clock.value_or(most) < before.value_or(most);
  const Seconds until = other_clock ? twin_.specification().clock_switch : Seconds{0};
  if (down) pass(until);
  if (other_batch && !settings_.arrivals.open()) {
    const auto work = load(point.batch);
    if (!work) return work.error();
    twin_.run(*work);
  }
  if (!down) pass(until);
  point_ = point;
  return {};
}

Result<> TwinPlant::serve(std::int64_t batch, Served& served) {
  Arrivals& arrivals = settings_.arrivals;
  const auto waiting = static_cast<std::int64_t>(arrivals.waiting(twin_.now()));
  if (waiting == 0) {
    pass(std::min(kStep, std::max(arrivals.next() - twin_.now(), kShortest)));
    return {};
  }
  const std::int64_t taken = std::min(batch, waiting);
  const auto work = load(taken);
  if (!work) return work.error();
  const auto came = arrivals.take(static_cast<std::size_t>(taken));
  const Seconds began = twin_.now();
  twin_.run(*work, 1);
  // A limit may make it slower than its clock says.
  while (twin_.running()) pass(std::clamp((*work)->at(twin_.clock()).time / 8, kShortest, kStep));
  ++served.batches;
  served.samples += static_cast<double>(taken);
  served.busy += twin_.now() - began;
  for (const Seconds each : came) {
    served.latencies.push_back(twin_.now() - each);
    latencies_.push_back({twin_.now() - each, 1});
  }
  return {};
}

Result<Reading> TwinPlant::run(const Point& point, const Controller::Patience& patience) {
  const bool stale_counts = patience.sensor_updates <= 0, open = settings_.arrivals.open();
  if (const auto there = go_to(point); !there) return there.error();
  const Seconds begun = twin_.now();
  // A reading tells of this point alone once its whole window lies in it.
  const Seconds fresh_from = begun + sensor_.window;
  const Seconds least = stale_counts ? Seconds{0} : sensor_.window + sensor_.period * patience.sensor_updates;
  const double iterations = twin_.iterations();

  Looks looks;
  Served served;
  const double pace = static_cast<double>(patience.batches);
  const auto too_few = [&] {
    if (!open) return twin_.iterations() - iterations < pace;
    // Where requests come slowly, so many batches may never be.
    return served.batches < patience.batches && twin_.now() - begun < std::max(least, kLongest);
  };
  while (too_few() || twin_.now() - begun < least) {
    if (!open) {
      pass(kStep);
    } else if (const auto done = serve(point.batch, served); !done) {
      return done.error();
    }
    if (stale_counts) looks.see(*twin_.power(sensor_.field));
  }
  if (!stale_counts) {
    const auto updates = twin_.history(sensor_.field);
    if (!updates) return updates.error();
    for (const auto& update : *updates) {
      if (update.at >= fresh_from) looks.see(update.power);
    }
  }
  Reading reading;
  looks.tell(reading);
  reading.at = twin_.now();
  reading.lasted = twin_.now() - begun;
  reading.point = point;
  reading.temperature = twin_.temperature();
  if (open) {
    reading.samples = served.samples;
    reading.latency = late_one(served.latencies);
    reading.saturated = served.samples >= kFull * static_cast<double>(point.batch * served.batches) &&
                        served.busy >= reading.lasted * kFull;
    return reading;
  }
  reading.samples = (twin_.iterations() - iterations) * static_cast<double>(point.batch);
  if (reading.samples > 0) {
    reading.latency = reading.lasted / (reading.samples / static_cast<double>(point.batch));
    latencies_.push_back({*reading.latency, reading.samples});
  }
  return reading;
}

}  // namespace ergon::control
