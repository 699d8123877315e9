#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/lease/journal_content.h"
#include "device/lease/lease_store.h"

namespace ergon::device {

// A lease whose process was killed, and the changes it left.
struct AbandonedLease {
  std::string uuid;  // of the device; the file name if the journal cannot be read
  std::optional<LeaseHolder> holder;
  std::vector<ControlChange> changes;
  bool another_boot = false;    // the machine was rebooted since, which reset the drivers
  std::optional<Error> damage;  // only a part of the journal is readable
};

// All abandoned leases, sorted by UUID, including those of absent devices. Read-only.
Result<std::vector<AbandonedLease>> abandoned_leases(const LeaseStore& store);

}  // namespace ergon::device
