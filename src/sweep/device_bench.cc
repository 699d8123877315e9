#include "sweep/device_bench.h"

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
using profile::Prepared;

constexpr const char* kWhatRemains = "--clocks own runs at the clock that it is at, and changes nothing";

// Between two looks at the clock.
constexpr Seconds kGlance{0.05};

// Takes everything back. Errors: what could not be.
Result<> put_back(device::Lease& lease, const std::string& id) {
  const device::RestoreReport report = lease.release();
  if (report.complete()) return {};
  std::string left;
  for (const device::Unrestored& each : report.failed) left += (left.empty() ? "" : "; ") + to_text(each);
  if (left.empty() && report.journal) left = "the journal of leases: " + report.journal->message;
  return fail(Errc::io, "{}: {}", id, left);
}

// What goes wrong with one run alone, as its row says it; null: it is not that run's fault.
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

void speak_against(RunRow& row, const std::string& code) {
  row.valid = false;
  if (std::find(row.reasons.begin(), row.reasons.end(), code) == row.reasons.end())
    row.reasons.push_back(code);
}

}  // namespace

// What was seen of a device's clock, and of what holds it.
class DeviceBench::Sighting {
 public:
  Sighting(device::Device& device, std::optional<Hertz> asked) : device_(device), asked_(asked) {
    if (asked) tolerance_ = clock_tolerance(*asked, device.supported_clocks(ClockDomain::core).value_or({}));
  }

  // Errors: the device is lost.
  Result<> look() {
    const auto clock = device_.clock(ClockDomain::core);
    if (!clock && clock.error().kind == Errc::device_lost) return clock.error();
    if (const auto reasons = device_.event_reasons()) reasons_ |= *reasons;
    newest_ = clock ? std::optional(*clock) : std::nullopt;
    if (!newest_) return {};
    looks_.push_back(*newest_);
    see(*newest_);
    return {};
  }

  // What was seen so far is of before the window.
  void window_opens() {
    looks_.clear();
    slowest_ = fastest_ = std::nullopt;
    if (reached_) reasons_ = {};
  }

  void add(EventReasons reasons) { reasons_ |= reasons; }
  void add(const meter::Surroundings& seen) {
    if (seen.slowest) see(*seen.slowest);
    if (seen.fastest) see(*seen.fastest);
  }

  bool told() const { return newest_.has_value(); }
  bool there() const { return newest_ && near(*newest_); }
  EventReasons reasons() const { return EventReasons(reasons_.bits() & ~EventReasons::kIdle); }

  // The one furthest from what was asked for; where nothing was, the middle of the looks.
  std::optional<Hertz> observed() const {
    if (!slowest_) return std::nullopt;
    if (asked_) return *asked_ - *slowest_ > *fastest_ - *asked_ ? *slowest_ : *fastest_;
    if (looks_.empty()) return std::nullopt;
    std::vector<Hertz> sorted = looks_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

  // What speaks against having run at the clock that was asked for, or at one clock; null: nothing.
  const char* against() const {
    if (!slowest_) return "clock_unseen";
    if (!asked_) return wandered() ? "clock_changed" : nullptr;
    if (near(*slowest_) && near(*fastest_)) return nullptr;
    return reached_ ? "clock_changed" : "clock_not_reached";
  }

 private:
  // A device that chooses for itself goes a step or two up and down as it warms. Further only if it has to,
  // which it says, or if somebody makes it.
  bool wandered() const {
    constexpr double kSteps = 0.02;
    return *fastest_ - *slowest_ > *fastest_ * kSteps && !reasons_.throttled();
  }
  bool near(Hertz clock) const {
    return asked_ && clock <= *asked_ + tolerance_ && clock >= *asked_ - tolerance_;
  }
  void see(Hertz clock) {
    slowest_ = std::min(slowest_.value_or(clock), clock);
    fastest_ = std::max(fastest_.value_or(clock), clock);
    reached_ = reached_ || near(clock);
  }

  device::Device& device_;
  std::optional<Hertz> asked_;
  Hertz tolerance_;
  std::vector<Hertz> looks_;
  std::optional<Hertz> newest_, slowest_, fastest_;
  bool reached_ = false;
  EventReasons reasons_;
};

// One run, from setting up the network to the row.
class DeviceBench::Attempt {
 public:
  Attempt(DeviceBench& bench, const Run& run, const profile::Candidate& network, const std::stop_token& stop)
      : bench_(bench), network_(network), stop_(stop), sighting_(bench.device_, run.clock) {
    row_.run = run;
    row_.device = bench.facts_.device;
    row_.simulated = bench.facts_.simulated;
    row_.started_at = bench.clock_.wall_now();
  }

  // Runs, and closes the window. Errors: all that can go wrong; row_of() says which are this run's own.
  Result<> perform() { return row_.run.scenario == Scenario::steady ? steady() : execution(); }

  // The row of a run that ended with this; or the error, if it ends the sweep.
  Result<RunRow> row_of(const Error& error) {
    const char* const code = code_of(error.kind);
    if (code == nullptr) return error;
    return without_numbers(code);
  }
  RunRow without_numbers(const std::string& code) {
    row_.time.reset();
    speak_against(row_, code);
    return std::move(row_);
  }

  // Waits for what the sensors have still to say. Errors: somebody asked to stop; the device is lost.
  Result<RunRow> row() {
    if (watched_) {
      const auto measured = watched_->measurement(stop_);
      if (measured) {
        take(*measured);
      } else if (code_of(measured.error().kind) == nullptr) {
        return measured.error();
      } else {
        speak_against(row_, "no_energy");
      }
    } else if (sighting_.reasons().has(EventReasons::kThrottling & ~EventReasons::kPowerCap)) {
      speak_against(row_, "throttled");
    }
    row_.clock_observed = sighting_.observed();
    row_.event_reasons = sighting_.reasons().names();
    if (const char* const against = sighting_.against()) speak_against(row_, against);
    return std::move(row_);
  }

 private:
  Result<std::unique_ptr<Prepared>> prepare() {
    const Settings& how = bench_.settings_;
    profile::Preparation preparation;
    preparation.content = network_.content ? &*network_.content : nullptr;
    preparation.seed = how.seed;
    return bench_.engine_.prepare(
        network_.network, {row_.run.batch, graph::Mode::inference, how.precision, how.layout}, preparation);
  }

  // Works until the device is warm, and at its clock or out of time; the pace.
  Result<Seconds> settle(Prepared& prepared) {
    constexpr Seconds kMoment{0.02};
    const Instant patience = bench_.clock_.now() + bench_.settings_.settle;
    auto pace = profile::work_for(prepared, bench_.settings_.warm_up, stop_);
    if (!pace || !row_.run.clock) return pace;
    for (;;) {
      if (auto looked = sighting_.look(); !looked) return looked.error();
      if (sighting_.there() || !sighting_.told() || bench_.clock_.now() >= patience) return pace;
      pace = profile::work_for(prepared, kMoment, stop_);
      if (!pace) return pace;
    }
  }

  Result<> steady() {
    profile::PowerWatch* const watch = bench_.watch_;
    const auto prepared = prepare();
    if (!prepared) return prepared.error();
    const auto pace = settle(**prepared);
    if (!pace) return pace.error();
    const Seconds blur = watch == nullptr ? Seconds{0} : watch->blur();
    if (blur > Seconds{0}) {
      if (const auto before = (*prepared)->run(profile::iterations_in(blur, *pace)); !before)
        return before.error();
    }
    sighting_.window_opens();
    if (auto looked = sighting_.look(); !looked) return looked;
    if (watch != nullptr) watched_ = watch->open();

    constexpr int kFewest = 2;
    const std::int64_t each = profile::segment_length(kGlance, *pace);
    const Seconds least = bench_.settings_.time * 0.98;
    Seconds total;
    for (int segment = 0; segment < kFewest || total < least; ++segment) {
      if (auto go_on = profile::unless_stopped(stop_); !go_on) return go_on;
      const auto ran = (*prepared)->run(each);
      if (!ran) return ran.error();
      total = total + ran->time;
      iterations_ += ran->iterations;
      if (auto looked = sighting_.look(); !looked) return looked;
    }
    close();
    row_.time = total / static_cast<double>(iterations_);
    if (blur > Seconds{0}) {
      if (const auto behind = (*prepared)->run(profile::iterations_in(blur, *row_.time)); !behind)
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
    sighting_.window_opens();
    if (auto looked = sighting_.look(); !looked) return looked;
    if (auto go_on = profile::unless_stopped(stop_); !go_on) return go_on;
    const Instant begin = bench_.clock_.now();
    if (bench_.watch_ != nullptr) watched_ = bench_.watch_->open();
    const auto prepared = prepare();
    if (!prepared) return prepared.error();
    const auto ran = (*prepared)->run(1);
    if (!ran) return ran.error();
    row_.time = bench_.clock_.now() - begin;
    close();
    iterations_ = 1;
    return sighting_.look();
  }

  void close() {
    if (watched_) watched_->close();
    if (const auto temperature = bench_.device_.temperature()) row_.temperature = *temperature;
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
      speak_against(row_, "no_energy");
    }
    // A meter that has not come to look during a short window tells what it saw before.
    constexpr Seconds kLooked{3};
    const bool looked = row_.run.scenario == Scenario::steady && measured.duration >= kLooked;
    for (const meter::Source& source : measured.sources) {
      const meter::Surroundings& seen = source.report.surroundings;
      sighting_.add(seen.reasons);
      if (looked) sighting_.add(seen);
      if (seen.hottest) row_.temperature = std::max(row_.temperature.value_or(*seen.hottest), *seen.hottest);
    }
    for (const meter::Reason& reason : measured.reasons) speak_against(row_, reason.code);
  }

  DeviceBench& bench_;
  const profile::Candidate& network_;
  const std::stop_token& stop_;
  Sighting sighting_;
  RunRow row_;
  std::unique_ptr<profile::Watched> watched_;
  std::int64_t iterations_ = 0;
};

DeviceBench::DeviceBench(device::Device& device, profile::Engine& engine, profile::PowerWatch* watch,
                         Clock& clock, std::optional<Control> control,
                         std::vector<profile::Candidate> networks, const Settings& settings)
    : device_(device),
      engine_(engine),
      watch_(watch),
      clock_(clock),
      control_(std::move(control)),
      networks_(std::move(networks)),
      settings_(settings) {
  settings_.time = std::max(settings_.time, profile::kLeastTime);
  if (watch_ != nullptr) settings_.time = std::max(settings_.time, watch_->shortest());
  const device::Identity& identity = device_.identity();
  facts_.device = fmt::format("{} {}", identity.name, identity.uuid);
  facts_.simulated = device_.simulated() || engine_.facts().simulated;
}

Result<std::vector<Hertz>> DeviceBench::clocks() { return device_.supported_clocks(ClockDomain::core); }

Result<device::Lease> DeviceBench::lease() {
  const std::string& id = device_.identity().id;
  if (!control_) {
    return fail(Errc::permission,
                "locking the clock of {} changes it for everybody, which needs --allow-control; {}", id,
                kWhatRemains);
  }
  auto lease = device::Lease::acquire(device_, control_->place, control_->allowed);
  if (lease) return lease;
  const Error error = lease.error().in(id);
  return error.kind == Errc::unsupported ? fail(error.kind, "{}; {}", error.message, kWhatRemains) : error;
}

Result<std::optional<std::string>> DeviceBench::lock(device::Lease& lease, Hertz clock) {
  const auto locked = lease.lock_clocks(ClockDomain::core, {clock, clock});
  if (locked) return std::optional<std::string>();
  const Error& error = locked.error();
  if (error.kind == Errc::invalid_input || error.kind == Errc::unsupported)
    return std::optional<std::string>("clock_refused");
  if (error.kind == Errc::permission) return fail(error.kind, "{}; {}", error.message, kWhatRemains);
  return error;
}

Result<RunRow> DeviceBench::run(const Run& run, const std::stop_token& stop) {
  const auto network = std::find_if(networks_.begin(), networks_.end(),
                                    [&](const auto& each) { return each.name == run.network; });
  if (network == networks_.end()) return fail(Errc::not_found, "no network \"{}\" was given", run.network);
  if (auto go_on = profile::unless_stopped(stop); !go_on) return go_on.error();
  Attempt attempt(*this, run, *network, stop);
  Result<std::optional<std::string>> refused = std::optional<std::string>();
  Result<> done;
  if (run.clock) {
    auto lease = this->lease();
    if (!lease) return lease.error();
    refused = lock(*lease, *run.clock);
    if (refused && !*refused) done = attempt.perform();
    if (auto restored = put_back(*lease, device_.identity().id); !restored) return restored.error();
  } else {
    done = attempt.perform();
  }
  if (!refused) return refused.error();
  if (*refused) return attempt.without_numbers(**refused);
  return done ? attempt.row() : attempt.row_of(done.error());
}

}  // namespace ergon::sweep
