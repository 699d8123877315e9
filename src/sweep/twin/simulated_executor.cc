#include "sweep/twin/simulated_executor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/digest.h"
#include "device/event_reasons.h"
#include "device/twin/parameters.h"
#include "meter/measurement.h"
#include "profile/repetition.h"
#include "profile/twin/twin_bench.h"
#include "sweep/clock_choice.h"

namespace ergon::sweep {
namespace {

// Equal runs and seeds give equal random numbers on every machine.
std::uint64_t seed_of(const Run& run, std::uint64_t seed) {
  const std::string key =
      fmt::format("{} {} {} {} {} {}", seed, run.network, run.batch, name_of(run.scenario),
                  run.clock ? std::llround(run.clock->si()) : 0, run.repetition);
  // Hashes of keys that differ in the last character differ little; mix the bits.
  std::uint64_t hash = hash_of(key);
  hash ^= hash >> 32;
  return hash * 0x9e3779b97f4a7c15;
}

// Digest of all model parameters. A sweep cannot be resumed with a changed model.
std::string model_of(const device::Specification& gpu, const ExecutionModel& execution) {
  std::string text;
  for (const device::Parameter& each : device::parameters()) {
    if (each.path == "energy_counter.latency_ms") continue;  // a simulated sweep does not call NVML
    text += fmt::format("{}={};", each.path, each.read(gpu));
  }
  for (const auto& point : gpu.memory.over_clock.points)
    text += fmt::format("{}:{};", point.clock.si(), point.share);
  for (const auto& sensor : gpu.sensors) {
    text += fmt::format("{} {} {} {} {} {};", sensor.field, sensor.period.si(), sensor.window.si(),
                        sensor.gain, sensor.offset.si(), sensor.noise.si());
  }
  text +=
      fmt::format("{} {} {} {} {} {} {}", execution.begin.si(), execution.begin_scatter, execution.layer.si(),
                  execution.reading.si(), execution.build_scatter, execution.copying.si(), execution.trials);
  return digest(text);
}

void take_energy(RunRow& row, const meter::Measurement& measured, double iterations) {
  row.power_mean = measured.mean;
  row.power_max = measured.peak;
  row.energy = measured.energy / iterations;
  row.energy_uncertainty = measured.uncertainty / iterations;
  for (const meter::DeviceMeasurement& source : measured.sources) {
    const meter::DeviceState& state = source.report.device_state;
    if (state.temperature_max) row.temperature = state.temperature_max;
    for (const auto& name : state.reasons.names()) row.event_reasons.push_back(name);
    // If the clock changed, the end that is further from the requested clock.
    const auto off = [&](Hertz clock) { return std::fabs((clock - row.run.clock.value_or(clock)).si()); };
    if (state.clock_min && state.clock_max)
      row.clock_observed = off(*state.clock_min) >= off(*state.clock_max) ? state.clock_min : state.clock_max;
  }
  for (const meter::Reason& reason : measured.reasons) row.reasons.push_back(reason.code);
}

std::string reason_code_of(Errc kind) {
  return kind == Errc::out_of_memory ? "out_of_memory" : kind == Errc::unsupported ? "unsupported" : "failed";
}

}  // namespace

SimulatedExecutor::SimulatedExecutor(const device::Specification& gpu, const Settings& settings)
    : gpu_(gpu), settings_(settings) {
  const device::Identity identity = device::identity_of(gpu);
  facts_ = {.device = fmt::format("{} {}", identity.name, identity.uuid),
            .simulated = true,
            .model = model_of(gpu, settings.execution),
            .max_parallel_runs = 64};
}

Result<std::unique_ptr<SimulatedExecutor>> SimulatedExecutor::open(const device::Specification& gpu,
                                                                   const std::vector<Candidate>& networks,
                                                                   const Settings& settings) {
  std::unique_ptr<SimulatedExecutor> bench(new SimulatedExecutor(gpu, settings));
  auto one = profile::TwinBench::open(gpu, settings.epoch, settings.seed);
  if (!one) return one.error();
  const auto clocks =
      device::TwinDevice((*one)->twin(), settings.epoch).supported_clocks(device::ClockDomain::core);
  if (!clocks) return clocks.error();
  bench->clocks_ = *clocks;
  for (const Candidate& each : networks) {
    bench->work_.emplace(each.name, ExecutionWork::prepare(each.network, settings.batch, settings.precision,
                                                           gpu, settings.execution));
  }
  return bench;
}

Result<RunRow> SimulatedExecutor::run(const Run& run, const std::stop_token& stop) {
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  if (!work_.contains(run.network))
    return fail(Errc::not_found, "network \"{}\" is not part of this sweep", run.network);
  RunRow row;
  row.run = run;
  row.device = facts_.device;
  row.simulated = true;
  row.started_at = settings_.epoch;
  if (const auto done = measure(run, row); !done) {
    row.reasons.push_back(reason_code_of(done.error().kind));
  }
  row.valid = row.reasons.empty();
  return row;
}

Result<> SimulatedExecutor::measure(const Run& run, RunRow& row) const {
  const Result<ExecutionWork>& work = work_.at(run.network);
  if (!work) return work.error();
  Random random(seed_of(run, settings_.seed));
  auto bench = profile::TwinBench::open(gpu_, settings_.epoch, random.bits());
  if (!bench) return bench.error();
  // Random phase relative to the sensor.
  constexpr Seconds kMaxPhase{0.1};
  (*bench)->rest(kMaxPhase * random.uniform());
  if (run.clock) {
    if (const auto held = (*bench)->hold_clock(run.clock); !held) {
      row.reasons.emplace_back("clock_refused");
      return {};
    }
  }
  auto done = run.scenario == Scenario::execution ? run_execution(run, **bench, random, row)
                                                  : run_steady(run, **bench, row);
  if (!done) return done;
  if (run.clock && row.clock_observed &&
      std::fabs((*row.clock_observed - *run.clock).si()) > clock_tolerance(*run.clock, clocks_).si()) {
    row.reasons.emplace_back("clock_not_reached");
  }
  return {};
}

Result<> SimulatedExecutor::run_steady(const Run& run, profile::TwinBench& bench, RunRow& row) const {
  const auto work = bench.work(work_.at(run.network)->iteration());
  using profile::iterations_in;
  const auto first = work->run(1);
  if (!first) return first.error();
  if (const auto warm = work->run(iterations_in(settings_.warm_up, first->each())); !warm)
    return warm.error();
  const Seconds time = std::max(settings_.duration, bench.min_window());
  const auto window = bench.open();
  const auto ran = work->run(iterations_in(time, first->each()));
  if (!ran) return ran.error();
  window->close();
  // Continue the work after the window, because the last sensor reading averages over it.
  if (const auto behind = work->run(iterations_in(Seconds{0.05}, ran->each())); !behind)
    return behind.error();
  const auto measured = window->measurement({});
  if (!measured) return measured.error();
  row.time = ran->each();
  take_energy(row, *measured, static_cast<double>(ran->iterations));
  return {};
}

Result<> SimulatedExecutor::run_execution(const Run& run, profile::TwinBench& bench, Random& random,
                                          RunRow& row) const {
  const auto window = bench.open();
  const auto time = execute(*work_.at(run.network), settings_.execution, bench, random);
  if (!time) return time.error();
  window->close();
  const auto measured = window->measurement({});
  if (!measured) return measured.error();
  row.time = *time;
  take_energy(row, *measured, 1);
  return {};
}

}  // namespace ergon::sweep
