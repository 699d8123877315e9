#include "device/lease/lease_restore.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::device {
namespace {

// The value that the device reports, else the last requested one. If the process was killed before that was
// written, only the order of restoring can be wrong.
ControlValue current_value(Controls* controls, const ControlChange& change) {
  if (controls == nullptr) return change.requested;
  const auto now = controls->read(change.control);
  return now && check_value(change.control, *now) ? *now : change.requested;
}

Result<> restore_control(Controls* controls, const Restoration& restoration) {
  if (controls == nullptr) return fail(Errc::unsupported, "this device has no controls");
  // A user without permission could not have changed it, and need not write it.
  if (const auto now = controls->read(restoration.control); now && *now == restoration.target) return {};
  return controls->write(restoration.control, restoration.target);
}

Result<> update_journal(Journal& journal, const RestoreReport& report) {
  if (report.failed.empty()) return journal.clear();
  for (const RestoredControl& restored : report.restored) {
    if (auto noted = journal.append(JournalRestored{restored.control}); !noted) return noted;
  }
  return {};
}

// The readable changes are restored; a copy of the damaged journal is saved for inspection.
Result<> save_damaged(Journal& journal, RestoreReport& report) {
  if (!report.failed.empty()) return {};
  const auto copy = journal.save_copy();
  if (!copy) return copy.error();
  report.damaged = *copy;
  return journal.clear();
}

}  // namespace

std::string to_text(const RestoreFailure& failure) {
  return fmt::format("{} could not be restored to {}: {}", name_of(failure.control), to_text(failure.target),
                     failure.error.message);
}

std::vector<Restoration> restore_order(std::vector<Restoration> restorations) {
  std::stable_partition(restorations.begin(), restorations.end(), [](const Restoration& restoration) {
    return widens(restoration.control, restoration.current, restoration.target);
  });
  return restorations;
}

RestoreReport restore_changes(Controls* controls, Journal& journal, LeaseObserver* observer) {
  std::vector<Restoration> restorations;
  for (const ControlChange& change : journal.content().changes) {
    restorations.push_back({change.control, current_value(controls, change), change.original()});
  }
  RestoreReport report;
  for (const Restoration& restoration : restore_order(std::move(restorations))) {
    if (auto done = restore_control(controls, restoration); done) {
      report.restored.push_back({restoration.control, restoration.target});
      notify(observer, LeaseStep::restored);
    } else {
      report.failed.push_back({restoration.control, restoration.target, done.error()});
    }
  }
  const auto updated =
      journal.content().damage ? save_damaged(journal, report) : update_journal(journal, report);
  if (!updated) report.journal = updated.error();
  return report;
}

}  // namespace ergon::device
