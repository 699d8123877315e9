#include <ergon/profile.h>
#include <utility>

#include "api/access.h"
#include "api/convert.h"
#include "base/statistics/interval.h"
#include "device/machine/device_name.h"
#include "profile/profiler.h"
#include "profile/test_bench/test_bench.h"

namespace ergon {
namespace {

constexpr Seconds kMaxDuration{86'400};

// With its weights a network runs node by node as in its file; without, as its framework would run it.
Result<profile::LoadedNetwork> loaded_network(const Network& network) {
  const auto& state = Access::state(network);
  if (!state.source.is_onnx_file()) return profile::LoadedNetwork{network.name(), state.network, {}};
  auto imported = state.source.load_with_weights();
  if (!imported) return imported.error();
  if (!imported->content) return profile::LoadedNetwork{network.name(), state.fused, {}};
  return profile::LoadedNetwork{network.name(), std::move(imported->network), std::move(imported->content)};
}

Result<profile::PlanItem> item_of(const Network& network, const ProfileRequest& request) {
  auto loaded = loaded_network(network);
  if (!loaded) return loaded.error();
  profile::ProfileGrid grid;
  grid.batches = {request.batch.value_or(network.default_batch().value_or(1))};
  grid.modes = {api::mode_of(request.mode)};
  if (request.precision) grid.precisions = {api::precision_of(*request.precision)};
  grid.clocks = {request.clock};
  grid.operations = false;
  auto plan = profile::plan({std::move(*loaded)}, grid);
  if (!plan) return plan.error();
  return std::move(plan->items.front());
}

Errc kind_of_status(profile::Status status) {
  switch (status) {
    case profile::Status::out_of_memory:
      return Errc::out_of_memory;
    case profile::Status::unsupported:
      return Errc::unsupported;
    default:
      return Errc::io;
  }
}

NetworkProfile profile_of_row(const profile::Row& row, const profile::EngineFacts& facts) {
  NetworkProfile to;
  to.network = row.subject.name;
  to.device = facts.device;
  to.engine = facts.engine;
  to.batch = row.condition.batch;
  to.precision = api::public_precision(row.condition.precision);
  const Seconds time = row.time.value_or(Seconds{});
  to.time = api::within(time, row.time_deviation.value_or(Seconds{}) * statistics::kInterval95);
  if (row.energy) {
    const Joules half = row.energy_uncertainty.value_or(Joules{});
    to.energy = api::within(*row.energy, half);
    const auto samples = static_cast<double>(row.condition.batch);
    to.energy_per_sample = api::within(*row.energy / samples, half / samples);
    const Watts power = row.power.value_or(*row.energy / time);
    to.power = api::within(power, half / time);
  }
  to.host_time = row.host_time;
  to.min_clock = row.clock_min;
  to.max_clock = row.clock_max;
  to.temperature_before = row.temperature_before;
  to.temperature_after = row.temperature_after;
  to.iterations = row.iterations;
  to.valid = row.valid;
  to.reasons = row.reasons;
  to.simulated = row.simulated;
  return to;
}

}  // namespace

struct Profiler::State {
  SystemClock clock;
  std::vector<std::string> notes;
  std::string device;
  bool control = false;
  std::uint64_t seed = 1;
  std::unique_ptr<profile::TestBench> bench;
};

Profiler::Profiler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Profiler::Profiler(Profiler&&) noexcept = default;
Profiler& Profiler::operator=(Profiler&&) noexcept = default;
Profiler::~Profiler() = default;

Result<Profiler> Profiler::open(const std::string& device, const ProfilerOptions& options) {
  auto state = std::make_unique<State>();
  state->device = device;
  state->control = options.control.has_value();
  state->seed = options.seed;
  auto& notes = state->notes;
  auto bench = profile::TestBench::open(
      {.device = device,
       .allow_control = state->control,
       .seed = options.seed,
       .measure_energy = options.measure_energy,
       .processor_too = false},
      {state->clock, {}, [&notes](std::string_view note) { notes.emplace_back(note); }});
  if (!bench) return bench.error();
  state->bench = std::move(*bench);
  return Profiler(std::move(state));
}

Result<NetworkProfile> Profiler::run(const Network& network, const ProfileRequest& request,
                                     const std::stop_token& stop) {
  profile::TestBench& bench = *state_->bench;
  for (const Seconds each : {request.duration, request.warm_up}) {
    if (!(each >= Seconds{0} && each <= kMaxDuration))
      return fail(Errc::invalid_input, "{} s is not a duration from 0 to {} s", each.si(), kMaxDuration.si());
  }
  if (request.clock && !state_->control && device::kind_of_name(state_->device) == device::NameKind::gpu)
    return fail(Errc::permission, "locking a clock needs ProfilerOptions::control");
  if (auto fine = bench.check_clock(request.clock); !fine) return fine.error();
  const auto item = item_of(network, request);
  if (!item) return item.error();
  if (request.clock) {
    if (auto held = bench.hold_clock(request.clock); !held) return held.error();
  }
  profile::Profiler profiler(bench.engine(), bench.power_meter(), bench.clock(),
                             {.time = request.duration, .warm_up = request.warm_up, .seed = state_->seed});
  auto row = profiler.measure(*item, stop).and_then([&](profile::Pending&& pending) {
    return profiler.settle(std::move(pending), stop);
  });
  const auto restored = request.clock ? bench.hold_clock(std::nullopt) : Result<>();
  if (!row) return row.error();
  if (row->status != profile::Status::measured) return Error{kind_of_status(row->status), row->detail};
  if (!restored) return restored.error();
  NetworkProfile profile = profile_of_row(*row, bench.engine().facts());
  profile.notes = state_->notes;
  for (std::string& warning : bench.engine().warnings(*item->network, item->condition))
    profile.notes.push_back(std::move(warning));
  return profile;
}

}  // namespace ergon
