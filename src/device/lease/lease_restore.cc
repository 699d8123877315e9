#include "device/lease/lease_restore.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::device {
namespace {

// The device knows best. Where it does not tell, the journal has what was asked for last; should a kill have
// come before that was done, only the order can suffer.
ControlValue value_now(Controls* controls, const ControlChange& change) {
  if (controls == nullptr) return change.requested;
  const auto now = controls->read(change.control);
  return now && check_value(change.control, *now) ? *now : change.requested;
}

Result<> put_back(Controls* controls, const Restoration& restoration) {
  if (controls == nullptr) return fail(Errc::unsupported, "nothing can be written to this device");
  // Who was refused a change may be refused its return too; there is nothing to return.
  if (const auto now = controls->read(restoration.control); now && *now == restoration.wanted) return {};
  return controls->write(restoration.control, restoration.wanted);
}

Result<> bring_up_to_date(Journal& journal, const RestoreReport& report) {
  if (report.failed.empty()) return journal.clear();
  for (const Restored& restored : report.restored) {
    if (auto noted = journal.append(JournalRestored{restored.control}); !noted) return noted;
  }
  return {};
}

// What could be read has been restored; the rest is kept for a person to look at.
Result<> put_aside(Journal& journal, RestoreReport& report) {
  if (!report.failed.empty()) return {};
  const auto copy = journal.keep_copy();
  if (!copy) return copy.error();
  report.damaged = *copy;
  return journal.clear();
}

}  // namespace

std::string to_text(const Unrestored& unrestored) {
  return fmt::format("{} could not be set back to {}: {}", name_of(unrestored.control),
                     to_text(unrestored.wanted), unrestored.error.message);
}

std::vector<Restoration> in_restoring_order(std::vector<Restoration> restorations) {
  std::stable_partition(restorations.begin(), restorations.end(), [](const Restoration& restoration) {
    return widens(restoration.control, restoration.now, restoration.wanted);
  });
  return restorations;
}

RestoreReport restore_changes(Controls* controls, Journal& journal, LeaseWatch* watch) {
  std::vector<Restoration> restorations;
  for (const ControlChange& change : journal.content().changes) {
    restorations.push_back({change.control, value_now(controls, change), change.original()});
  }
  RestoreReport report;
  for (const Restoration& restoration : in_restoring_order(std::move(restorations))) {
    if (auto put = put_back(controls, restoration); put) {
      report.restored.push_back({restoration.control, restoration.wanted});
      tell(watch, LeaseStep::restored);
    } else {
      report.failed.push_back({restoration.control, restoration.wanted, put.error()});
    }
  }
  const auto updated =
      journal.content().damage ? put_aside(journal, report) : bring_up_to_date(journal, report);
  if (!updated) report.journal = updated.error();
  return report;
}

}  // namespace ergon::device
