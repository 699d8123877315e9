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

// Restores the changes in a journal that this process has just locked.
RestoreReport restore_abandoned(Controls* controls, Journal& journal, const LeaseStore& store,
                                LeaseObserver* observer) {
  if (journal.empty()) return {};
  const auto& opening = journal.content().opening;
  if (!opening || opening->boot == store.boot) return restore_changes(controls, journal, observer);
  RestoreReport report{.another_boot = true};
  if (auto cleared = journal.clear(); !cleared) report.journal = cleared.error();
  return report;
}

bool is_newer_format(const Journal& journal) {
  return journal.content().damage && journal.content().damage->kind == Errc::unsupported;
}

// Absent for a clock that the device does not report; it then counts as unlocked.
Result<std::optional<ControlValue>> previous_value(Controls& controls, Control control) {
  using Outcome = std::optional<ControlValue>;
  const auto now = controls.read(control);
  const bool unreported = !now && now.error().kind == Errc::unsupported && control != Control::power_limit;
  if (unreported) return Outcome();
  if (!now) return now.error();
  if (auto checked = check_value(control, *now); !checked) return checked.error();
  return Outcome(*now);
}

// The device rejected the write and is unchanged.
bool is_rejected(Errc kind) {
  return kind == Errc::permission || kind == Errc::unsupported || kind == Errc::invalid_input;
}

Error cannot_restore(const RestoreFailure& first) {
  return fail(first.error.kind, "changes of an earlier lease are not restored: {}", to_text(first));
}

}  // namespace

struct Lease::State {
  Controls& controls;  // of a device that outlives the lease
  LeaseObserver* observer;
  std::optional<Journal> journal;  // absent after release()
  std::optional<RestoreReport> recovered;
  RestoreReport report;
};

Lease::Lease(std::unique_ptr<State> state) : state_(std::move(state)) {}
Lease::Lease(Lease&&) noexcept = default;
Lease::~Lease() { release(); }

Result<Lease> Lease::acquire(Device& device, const LeaseStore& store, ControlAllowed,
                             LeaseObserver* observer) {
  const std::string& uuid = device.identity().uuid;
  Controls* const controls = device.controls(LeaseKey{});
  if (controls == nullptr) return fail(Errc::unsupported, "this device has no controls");
  auto opened = Journal::open(store, uuid, IfAbsent::create, observer);
  if (!opened) return opened.error();
  if (const auto* held = std::get_if<HeldBy>(&*opened)) {
    return fail(Errc::busy, "leased by {}", to_text(*held));
  }
  auto& journal = std::get<Journal>(*opened);
  if (is_newer_format(journal)) return *journal.content().damage;
  const bool another_boot = journal.content().opening && journal.content().opening->boot != store.boot;
  if (journal.content().damage && !another_boot) {
    return journal.content().damage->in(
        "the journal of an earlier lease is damaged, so its changes may still be in effect");
  }
  std::optional<RestoreReport> recovered;
  if (journal.content().opening) {
    recovered = restore_abandoned(controls, journal, store, observer);
    if (!recovered->failed.empty()) return cannot_restore(recovered->failed.front());
    if (recovered->journal) return *recovered->journal;
    if (recovered->restored.empty() && !another_boot) recovered.reset();
  }
  if (auto begun = journal.append(JournalOpening{uuid, store.boot, this_process()}); !begun) {
    return begun.error();
  }
  return Lease(
      std::make_unique<State>(State{*controls, observer, std::move(journal), std::move(recovered), {}}));
}

Result<RestoreReport> Lease::recover(Device& device, const LeaseStore& store, ControlAllowed,
                                     LeaseObserver* observer) {
  auto opened = Journal::open(store, device.identity().uuid, IfAbsent::fail, observer);
  if (!opened && opened.error().kind == Errc::not_found) return RestoreReport{};
  if (!opened) return opened.error();
  if (const auto* held = std::get_if<HeldBy>(&*opened)) return RestoreReport{.held = *held};
  auto& journal = std::get<Journal>(*opened);
  if (is_newer_format(journal)) return *journal.content().damage;
  return restore_abandoned(device.controls(LeaseKey{}), journal, store, observer);
}

Result<> Lease::lock_clocks(ClockDomain domain, const ClockRange& range) {
  return set(control_of(domain), {.clocks = range});
}
Result<> Lease::set_power_limit(Watts limit) { return set(Control::power_limit, {.power_limit = limit}); }

Result<> Lease::set(Control control, const ControlValue& value) {
  ERGON_EXPECTS(state_ != nullptr);
  if (!state_->journal) return fail(Errc::cancelled, "the lease was released");
  Journal& journal = *state_->journal;
  if (!journal.ours()) return fail(Errc::permission, "the lease belongs to another process");
  if (auto checked = check_value(control, value); !checked) return checked;

  // Record that undoes `record` if the device rejects the change.
  JournalRecord undo = JournalRestored{control};
  JournalRecord record = JournalSetting{control, value};
  if (const ControlChange* begun = journal.content().change_of(control)) {
    undo = JournalSetting{control, begun->requested};
  } else {
    const auto before = previous_value(state_->controls, control);
    if (!before) {
      return before.error().in(
          fmt::format("{} not changed because its previous value cannot be read", name_of(control)));
    }
    record = ControlChange{control, *before, value};
  }
  if (auto noted = journal.append(record); !noted) return noted.error();
  auto written = state_->controls.write(control, value);
  notify(state_->observer, LeaseStep::device_written);
  if (written) return {};
  // If this append fails, the journal lists a change that was not made. Restoring it is harmless.
  if (is_rejected(written.error().kind)) static_cast<void>(journal.append(undo));
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

RestoreReport Lease::release() {
  if (state_ == nullptr) return {};
  if (!state_->journal) return state_->report;
  if (state_->journal->ours())
    state_->report = restore_changes(&state_->controls, *state_->journal, state_->observer);
  state_->journal.reset();
  return state_->report;
}

}  // namespace ergon::device
