#pragma once

#include <cstddef>
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
  // The same of devices that were found.
  Machine(FoundDevices gpus, FoundDevices processors);

  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }
  // Errors of devices that could not be opened.
  const std::vector<Error>& problems() const { return problems_; }

  // Devices by id ("gpu0", "cpu0"), GPU index ("0" is gpu0) or UUID prefix (8 characters or more), ignoring
  // case. Without names: all GPUs, or the processors if there is no GPU. Errors: unknown_name with the
  // nearest id; a prefix of several UUIDs; no devices of that kind, with the reason and what to do.
  Result<std::vector<Device*>> select(const std::vector<std::string>& names) const;
  // Processor packages and their memories.
  std::vector<Device*> processors() const;

 private:
  Error no_device(const std::string& name) const;
  std::vector<Error> problems_of(bool processors) const;

  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<Error> problems_;   // of GPUs, then of processors
  std::size_t gpu_problems_ = 0;  // the first ones
};

}  // namespace ergon::device
