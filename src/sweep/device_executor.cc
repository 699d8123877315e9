#include "sweep/device_executor.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "profile/profiler.h"
#include "profile/repetition.h"
#include "sweep/clock_choice.h"

namespace ergon::sweep {
namespace {

using device::ClockDomain;
using device::EventReasons;
using profile::PreparedWork;

constexpr const char* kWithoutControl = "--clocks default runs unlocked and changes nothing";

// Time between two readings of the clock.
constexpr Seconds kClockInterval{0.05};

// Restores all settings. Errors: those that could not be restored.
Result<> restore(device::Lease& lease, const std::string& id) {
  const device::RestoreReport report = lease.release();
  if (report.complete()) return {};
  std::string left;
  for (const device::RestoreFailure& each : report.failed) left += (left.empty() ? "" : "; ") + to_text(each);
  if (left.empty() && report.journal) left = "lease journal: " + report.journal->message;
  return fail(Errc::io, "{}: {}", id, left);
}

// The reason code of an error that concerns one run; null: the error ends the sweep.
const char* code_of(Errc kind) {
  switch (kind) {
    case Errc::device_lost:
    case Errc::cancelled:
      return nullptr;
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::unsupported:
      return "unsupported";
    default:
      return "failed";
  }
}

void add_reason(RunRow& row, const std::string& code) {
  row.valid = false;
  if (std::find(row.reasons.begin(), row.reasons.end(), code) == row.reasons.end())
    row.reasons.push_back(code);
}

}  // namespace

// Observes the clock of a device and its event reasons.
class DeviceExecutor::ClockObserver {
 public:
  ClockObserver(device::Device& device, std::optional<Hertz> requested)
      : device_(device), requested_(requested) {
    if (requested)
      tolerance_ = clock_tolerance(*requested, device.supported_clocks(ClockDomain::core).value_or({}));
  }

  // Errors: the device is lost.
  Result<> observe() {
    const auto clock = device_.clock(ClockDomain::core);
    if (!clock && clock.error().kind == Errc::device_lost) return clock.error();
    if (const auto reasons = device_.event_reasons()) reasons_ |= *reasons;
    newest_ = clock ? std::optional(*clock) : std::nullopt;
    if (!newest_) return {};
    readings_.push_back(*newest_);
    add_reading(*newest_);
    return {};
  }

  // Discards the observations before the window.
  void start_window() {
    readings_.clear();
    min_ = max_ = std::nullopt;
    if (reached_) reasons_ = {};
  }

  void add(EventReasons reasons) { reasons_ |= reasons; }
  void add(const meter::DeviceState& state) {
    if (state.clock_min) add_reading(*state.clock_min);
    if (state.clock_max) add_reading(*state.clock_max);
  }

  bool clock_known() const { return newest_.has_value(); }
  bool at_requested_clock() const { return newest_ && near(*newest_); }
  EventReasons reasons() const { return EventReasons(reasons_.bits() & ~EventReasons::kIdle); }

  // The clock furthest from the requested one; without a request, the median of the readings.
  std::optional<Hertz> observed() const {
    if (!min_) return std::nullopt;
    if (requested_) return *requested_ - *min_ > *max_ - *requested_ ? *min_ : *max_;
    if (readings_.empty()) return std::nullopt;
    std::vector<Hertz> sorted = readings_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

  // The reason code if the clock was not held; null if it was.
  const char* failure() const {
    if (!min_) return "clock_unseen";
    if (!requested_) return varied() ? "clock_changed" : nullptr;
    if (near(*min_) && near(*max_)) return nullptr;
    return reached_ ? "clock_changed" : "clock_not_reached";
  }

 private:
  // An unlocked clock varies by a step or two while the device warms up. Larger changes without an event
  // reason mean that another process changed the clock.
  bool varied() const {
    constexpr double kMaxVariation = 0.02;
    return *max_ - *min_ > *max_ * kMaxVariation && !reasons_.throttled();
  }
  bool near(Hertz clock) const {
    return requested_ && clock <= *requested_ + tolerance_ && clock >= *requested_ - tolerance_;
  }
  void add_reading(Hertz clock) {
    min_ = std::min(min_.value_or(clock), clock);
    max_ = std::max(max_.value_or(clock), clock);
    reached_ = reached_ || near(clock);
  }

  device::Device& device_;
  std::optional<Hertz> requested_;
  Hertz tolerance_;
  std::vector<Hertz> readings_;
  std::optional<Hertz> newest_, min_, max_;
  bool reached_ = false;
  EventReasons reasons_;
};

// One run, from preparing the network to the row.
class DeviceExecutor::Attempt {
 public:
  Attempt(DeviceExecutor& executor, const Run& run, const profile::LoadedNetwork& network,
          const std::stop_token& stop)
      : executor_(executor), network_(network), stop_(stop), observer_(executor.device_, run.clock) {
    row_.run = run;
    row_.device = executor.facts_.device;
    row_.simulated = executor.facts_.simulated;
    row_.started_at = executor.clock_.wall_now();
  }

  // Runs and closes the window. row_of() decides which errors concern this run only.
  Result<> perform() { return row_.run.scenario == Scenario::steady ? steady() : execution(); }

  // The row of a run that failed with `error`, or the error if it ends the sweep.
  Result<RunRow> row_of(const Error& error) {
    const char* const code = code_of(error.kind);
    if (code == nullptr) return error;
    return without_numbers(code);
  }
  RunRow without_numbers(const std::string& code) {
    row_.time.reset();
    add_reason(row_, code);
    return std::move(row_);
  }

  // Waits for the last sensor readings. Errors: a stop request; the device is lost.
  Result<RunRow> row() {
    if (window_) {
      const auto measured = window_->measurement(stop_);
      if (measured) {
        take(*measured);
      } else if (code_of(measured.error().kind) == nullptr) {
        return measured.error();
      } else {
        add_reason(row_, "no_energy");
      }
    } else if (observer_.reasons().has(EventReasons::kThrottling & ~EventReasons::kPowerCap)) {
      add_reason(row_, "throttled");
    }
    row_.clock_observed = observer_.observed();
    row_.event_reasons = observer_.reasons().names();
    if (const char* const failure = observer_.failure()) add_reason(row_, failure);
    return std::move(row_);
  }

 private:
  Result<std::unique_ptr<PreparedWork>> prepare() {
    const Settings& how = executor_.settings_;
    profile::PrepareOptions preparation;
    preparation.content = network_.content ? &*network_.content : nullptr;
    preparation.seed = how.seed;
    return executor_.engine_.prepare(
        network_.network, {row_.run.batch, graph::Mode::inference, how.precision, how.layout}, preparation);
  }

  // Runs until the device is warm and at its clock, or the settle time is over. Returns the time per
  // iteration.
  Result<Seconds> settle(PreparedWork& prepared) {
    constexpr Seconds kStep{0.02};
    const Instant deadline = executor_.clock_.now() + executor_.settings_.settle;
    auto pace = profile::work_for(prepared, executor_.settings_.warm_up, stop_);
    if (!pace || !row_.run.clock) return pace;
    for (;;) {
      if (auto looked = observer_.observe(); !looked) return looked.error();
      if (observer_.at_requested_clock() || !observer_.clock_known() || executor_.clock_.now() >= deadline)
        return pace;
      pace = profile::work_for(prepared, kStep, stop_);
      if (!pace) return pace;
    }
  }

  Result<> steady() {
    profile::PowerMeter* const meter = executor_.meter_;
    const auto prepared = prepare();
    if (!prepared) return prepared.error();
    const auto pace = settle(**prepared);
    if (!pace) return pace.error();
    const Seconds padding = meter == nullptr ? Seconds{0} : meter->padding();
    if (padding > Seconds{0}) {
      if (const auto before = (*prepared)->run(profile::iterations_in(padding, *pace)); !before)
        return before.error();
    }
    observer_.start_window();
    if (auto looked = observer_.observe(); !looked) return looked;
    if (meter != nullptr) window_ = meter->open();

    constexpr int kMinSegments = 2;
    const std::int64_t each = profile::segment_length(kClockInterval, *pace);
    const Seconds min_total = executor_.settings_.duration * 0.98;
    Seconds total;
    for (int segment = 0; segment < kMinSegments || total < min_total; ++segment) {
      if (auto go_on = profile::unless_stopped(stop_); !go_on) return go_on;
      const auto ran = (*prepared)->run(each);
      if (!ran) return ran.error();
      total = total + ran->time;
      iterations_ += ran->iterations;
      if (auto looked = observer_.observe(); !looked) return looked;
    }
    close();
    row_.time = total / static_cast<double>(iterations_);
    if (padding > Seconds{0}) {
      if (const auto behind = (*prepared)->run(profile::iterations_in(padding, *row_.time)); !behind)
        return behind.error();
    }
    return {};
  }

  Result<> execution() {
    {
      const auto prepared = prepare();
      if (!prepared) return prepared.error();
      if (const auto pace = settle(**prepared); !pace) return pace.error();
    }
    observer_.start_window();
    if (auto looked = observer_.observe(); !looked) return looked;
    if (auto go_on = profile::unless_stopped(stop_); !go_on) return go_on;
    const Instant begin = executor_.clock_.now();
    if (executor_.meter_ != nullptr) window_ = executor_.meter_->open();
    const auto prepared = prepare();
    if (!prepared) return prepared.error();
    const auto ran = (*prepared)->run(1);
    if (!ran) return ran.error();
    row_.time = executor_.clock_.now() - begin;
    close();
    iterations_ = 1;
    return observer_.observe();
  }

  void close() {
    if (window_) window_->close();
    if (const auto temperature = executor_.device_.temperature()) row_.temperature = *temperature;
  }

  void take(const meter::Measurement& measured) {
    const auto iterations = static_cast<double>(iterations_);
    row_.simulated = row_.simulated || measured.simulated;
    if (measured.energy > Joules{0}) {
      row_.energy = measured.energy / iterations;
      row_.energy_uncertainty = measured.uncertainty / iterations;
      row_.power_mean = measured.mean;
      row_.power_max = measured.peak;
    } else {
      add_reason(row_, "no_energy");
    }
    // In a short window, the meter may report state from before the window.
    constexpr Seconds kMinWindow{3};
    const bool long_window = row_.run.scenario == Scenario::steady && measured.duration >= kMinWindow;
    for (const meter::DeviceMeasurement& source : measured.sources) {
      const meter::DeviceState& state = source.report.device_state;
      observer_.add(state.reasons);
      if (long_window) observer_.add(state);
      if (state.temperature_max)
        row_.temperature =
            std::max(row_.temperature.value_or(*state.temperature_max), *state.temperature_max);
    }
    for (const meter::Reason& reason : measured.reasons) add_reason(row_, reason.code);
  }

  DeviceExecutor& executor_;
  const profile::LoadedNetwork& network_;
  const std::stop_token& stop_;
  ClockObserver observer_;
  RunRow row_;
  std::unique_ptr<profile::EnergyWindow> window_;
  std::int64_t iterations_ = 0;
};

DeviceExecutor::DeviceExecutor(device::Device& device, profile::Engine& engine, profile::PowerMeter* meter,
                               Clock& clock, std::optional<Control> control,
                               std::vector<profile::LoadedNetwork> networks, const Settings& settings)
    : device_(device),
      engine_(engine),
      meter_(meter),
      clock_(clock),
      control_(std::move(control)),
      networks_(std::move(networks)),
      settings_(settings) {
  settings_.duration = std::max(settings_.duration, profile::kMinTime);
  if (meter_ != nullptr) settings_.duration = std::max(settings_.duration, meter_->min_window());
  const device::Identity& identity = device_.identity();
  facts_.device = fmt::format("{} {}", identity.name, identity.uuid);
  facts_.simulated = device_.simulated() || engine_.facts().simulated;
}

Result<std::vector<Hertz>> DeviceExecutor::clocks() { return device_.supported_clocks(ClockDomain::core); }

Result<device::Lease> DeviceExecutor::lease() {
  const std::string& id = device_.identity().id;
  if (!control_) {
    return fail(Errc::permission, "locking the clock of {} requires --allow-control; {}", id,
                kWithoutControl);
  }
  auto lease = device::Lease::acquire(device_, control_->store, control_->allowed);
  if (lease) return lease;
  const Error error = lease.error().in(id);
  return error.kind == Errc::unsupported ? fail(error.kind, "{}; {}", error.message, kWithoutControl) : error;
}

Result<std::optional<std::string>> DeviceExecutor::lock(device::Lease& lease, Hertz clock) {
  const auto locked = lease.lock_clocks(ClockDomain::core, {clock, clock});
  if (locked) return std::optional<std::string>();
  const Error& error = locked.error();
  if (error.kind == Errc::invalid_input || error.kind == Errc::unsupported)
    return std::optional<std::string>("clock_refused");
  if (error.kind == Errc::permission) return fail(error.kind, "{}; {}", error.message, kWithoutControl);
  return error;
}

Result<RunRow> DeviceExecutor::run(const Run& run, const std::stop_token& stop) {
  const auto network = std::find_if(networks_.begin(), networks_.end(),
                                    [&](const auto& each) { return each.name == run.network; });
  if (network == networks_.end())
    return fail(Errc::not_found, "network \"{}\" is not part of this sweep", run.network);
  if (auto go_on = profile::unless_stopped(stop); !go_on) return go_on.error();
  Attempt attempt(*this, run, *network, stop);
  Result<std::optional<std::string>> refused = std::optional<std::string>();
  Result<> done;
  if (run.clock) {
    auto lease = this->lease();
    if (!lease) return lease.error();
    refused = lock(*lease, *run.clock);
    if (refused && !*refused) done = attempt.perform();
    if (auto restored = restore(*lease, device_.identity().id); !restored) return restored.error();
  } else {
    done = attempt.perform();
  }
  if (!refused) return refused.error();
  if (*refused) return attempt.without_numbers(**refused);
  return done ? attempt.row() : attempt.row_of(done.error());
}

}  // namespace ergon::sweep
