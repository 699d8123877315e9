#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/notify.h"
#include "base/result.h"
#include "device/device.h"

namespace ergon::device {

// The devices of this machine: GPUs through NVML, processors through RAPL. open() restores clocks and power
// limits that killed leases left changed, and reports that to `notify`.
class Machine {
 public:
  static Machine open(const Notify& notify);

  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }
  // Errors of devices that could not be opened.
  const std::vector<Error>& problems() const { return problems_; }

  // Devices by id ("gpu0", "cpu0"), GPU index ("0" is gpu0) or UUID prefix (8 characters or more), ignoring
  // case. Without names: all GPUs, or the processors if there is no GPU. Errors: unknown_name with the
  // nearest id; a prefix of several UUIDs; no devices, with the reason.
  Result<std::vector<Device*>> select(const std::vector<std::string>& names) const;
  // Processor packages and their memories.
  std::vector<Device*> processors() const;

 private:
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<Error> problems_;
};

}  // namespace ergon::device
