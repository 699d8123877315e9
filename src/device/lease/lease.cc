#include "device/lease/lease.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "device/lease/journal.h"

namespace ergon::device {
namespace {

Control control_of(ClockDomain domain) {
  return domain == ClockDomain::core ? Control::core_clock : Control::memory_clock;
}

// Takes back what a journal holds that nobody has locked.
RestoreReport settle(Controls* controls, Journal& journal, const LeasePlace& place, LeaseWatch* watch) {
  if (journal.empty()) return {};
  const auto& opening = journal.content().opening;
  if (!opening || opening->boot == place.boot) return restore_changes(controls, journal, watch);
  RestoreReport report{.another_boot = true};
  if (auto cleared = journal.clear(); !cleared) report.journal = cleared.error();
  return report;
}

bool from_later_ergon(const Journal& journal) {
  return journal.content().damage && journal.content().damage->kind == Errc::unsupported;
}

// Nothing where the device does not tell, which only a clock may. Then it counts as unlocked.
Result<std::optional<ControlValue>> previous_value(Controls& controls, Control control) {
  using Outcome = std::optional<ControlValue>;
  const auto now = controls.read(control);
  const bool untold = !now && now.error().kind == Errc::unsupported && control != Control::power_limit;
  if (untold) return Outcome();
  if (!now) return now.error();
  if (auto checked = check_value(control, *now); !checked) return checked.error();
  return Outcome(*now);
}

// The device answered and did not want to: it is as it was.
bool refused(Errc kind) {
  return kind == Errc::permission || kind == Errc::unsupported || kind == Errc::invalid_input;
}

Error cannot_restore(const Unrestored& first) {
  return fail(first.error.kind, "what an earlier lease changed is still changed: {}", to_text(first));
}

}  // namespace

struct Lease::State {
  Controls& controls;  // of a device that outlives this
  LeaseWatch* watch;
  std::optional<Journal> journal;  // nothing after the release
  std::optional<RestoreReport> recovered;
  RestoreReport report;
  std::function<void(const RestoreReport&)> listener;
};

Lease::Lease(std::unique_ptr<State> state) : state_(std::move(state)) {}
Lease::Lease(Lease&&) noexcept = default;
Lease::~Lease() { release(); }

Result<Lease> Lease::acquire(Device& device, const LeasePlace& place, ControlAllowed, LeaseWatch* watch) {
  const std::string& uuid = device.identity().uuid;
  Controls* const controls = device.controls(LeaseKey{});
  if (controls == nullptr) return fail(Errc::unsupported, "nothing can be changed on this device");
  auto opened = Journal::open(place, uuid, IfAbsent::create, watch);
  if (!opened) return opened.error();
  if (const auto* held = std::get_if<HeldBy>(&*opened)) {
    return fail(Errc::permission, "is leased by {}", to_text(*held));
  }
  auto& journal = std::get<Journal>(*opened);
  if (from_later_ergon(journal)) return *journal.content().damage;
  const bool another_boot = journal.content().opening && journal.content().opening->boot != place.boot;
  if (journal.content().damage && !another_boot) {
    return journal.content().damage->in(
        "the journal of an earlier lease is damaged, so settings may still be changed");
  }
  std::optional<RestoreReport> recovered;
  if (journal.content().opening) {
    recovered = settle(controls, journal, place, watch);
    if (!recovered->failed.empty()) return cannot_restore(recovered->failed.front());
    if (recovered->journal) return *recovered->journal;
    if (recovered->restored.empty() && !another_boot) recovered.reset();
  }
  if (auto begun = journal.append(JournalOpening{uuid, place.boot, this_process()}); !begun) {
    return begun.error();
  }
  return Lease(std::make_unique<State>(
      State{*controls, watch, std::move(journal), std::move(recovered), {}, nullptr}));
}

Result<RestoreReport> Lease::recover(Device& device, const LeasePlace& place, ControlAllowed,
                                     LeaseWatch* watch) {
  auto opened = Journal::open(place, device.identity().uuid, IfAbsent::fail, watch);
  if (!opened && opened.error().kind == Errc::not_found) return RestoreReport{};
  if (!opened) return opened.error();
  if (const auto* held = std::get_if<HeldBy>(&*opened)) return RestoreReport{.held = *held};
  auto& journal = std::get<Journal>(*opened);
  if (from_later_ergon(journal)) return *journal.content().damage;
  return settle(device.controls(LeaseKey{}), journal, place, watch);
}

Result<> Lease::lock_clocks(ClockDomain domain, const ClockRange& range) {
  return set(control_of(domain), {.clocks = range});
}
Result<> Lease::unlock_clocks(ClockDomain domain) { return set(control_of(domain), {}); }
Result<> Lease::set_power_limit(Watts limit) { return set(Control::power_limit, {.power_limit = limit}); }

Result<> Lease::set(Control control, const ControlValue& value) {
  ERGON_EXPECTS(state_ != nullptr);
  if (!state_->journal) return fail(Errc::cancelled, "the lease has ended");
  Journal& journal = *state_->journal;
  if (!journal.ours()) return fail(Errc::permission, "the lease is another process's");
  if (auto checked = check_value(control, value); !checked) return checked;

  // Where the journal returns to if the device refuses.
  JournalRecord undo = JournalRestored{control};
  JournalRecord record = JournalSetting{control, value};
  if (const ControlChange* begun = journal.content().change_of(control)) {
    undo = JournalSetting{control, begun->requested};
  } else {
    const auto before = previous_value(state_->controls, control);
    if (!before) {
      return before.error().in(fmt::format("{} is not changed, as it could not be read", name_of(control)));
    }
    record = ControlChange{control, *before, value};
  }
  if (auto noted = journal.append(record); !noted) return noted.error();
  auto written = state_->controls.write(control, value);
  tell(state_->watch, LeaseStep::device_written);
  if (written) return {};
  // A journal that cannot be written any more says that more was changed than was; restoring that is
  // harmless.
  if (refused(written.error().kind)) static_cast<void>(journal.append(undo));
  return written;
}

std::vector<ControlChange> Lease::requested() const {
  if (state_ == nullptr || !state_->journal) return {};
  return state_->journal->content().changes;
}

const std::optional<RestoreReport>& Lease::recovered() const {
  ERGON_EXPECTS(state_ != nullptr);
  return state_->recovered;
}

void Lease::on_release(std::function<void(const RestoreReport&)> listener) {
  ERGON_EXPECTS(state_ != nullptr);
  state_->listener = std::move(listener);
}

RestoreReport Lease::release() {
  if (state_ == nullptr) return {};
  if (!state_->journal) return state_->report;
  const bool ours = state_->journal->ours();
  if (ours) state_->report = restore_changes(&state_->controls, *state_->journal, state_->watch);
  state_->journal.reset();
  if (ours && state_->listener) state_->listener(state_->report);
  return state_->report;
}

}  // namespace ergon::device
