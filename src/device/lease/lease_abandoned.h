#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/lease/journal_content.h"
#include "device/lease/lease_place.h"

namespace ergon::device {

// A lease whose holder was killed, and what it left changed.
struct AbandonedLease {
  std::string uuid;  // of the device; the name of the file where the journal does not tell
  std::optional<LeaseHolder> holder;
  std::vector<ControlChange> changes;
  bool another_boot = false;    // the drivers have forgotten the changes
  std::optional<Error> damage;  // the journal could be read in part only
};

// All abandoned leases, by UUID, also those of devices that are not there. Changes nothing.
Result<std::vector<AbandonedLease>> abandoned_leases(const LeasePlace& place);

}  // namespace ergon::device
