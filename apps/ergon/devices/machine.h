#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "shell.h"

namespace ergon::app {

// The devices of this machine: GPUs through NVML, processors through RAPL. Opening it takes back what leases
// that were killed have left changed, and says so.
class Machine {
 public:
  static Machine open(Shell& shell);

  const std::vector<std::unique_ptr<device::Device>>& devices() const { return devices_; }
  // Why there are not more.
  const std::vector<Error>& problems() const { return problems_; }

  // Devices by id ("gpu0", "cpu0"), number (0 is gpu0) or the beginning of a UUID. Without names, all GPUs;
  // without a GPU, the processors. Errors: none of that name, naming those there are; none at all, with the
  // reason.
  Result<std::vector<device::Device*>> select(const std::vector<std::string>& names) const;
  // Processors and their memories.
  std::vector<device::Device*> processors() const;

 private:
  std::vector<std::unique_ptr<device::Device>> devices_;
  std::vector<Error> problems_;
};

}  // namespace ergon::app
