#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocate/gpu/gpu_work.h"
#include "devices/device_options.h"
#include "networks/network_options.h"

namespace ergon::app {

// GPU and run parameters from the command line.
struct GpuOptions {
  std::optional<std::string> device;  // --device; absent: an array
  CostSettings costs;
  std::optional<device::Precision> precision;
  std::optional<Watts> power_limit;

  void declare(Options& options);

  // Errors: those of loading the network and the device; a network that does not fit the GPU.
  Result<allocate::GpuWork> load(const NetworkSource& network, std::optional<Hertz> clock_step,
                                 std::optional<Seconds> switch_time) const;
  // The device file, if --device names one.
  std::vector<std::string> files() const;

 private:
  DeviceSource source() const { return {.name = device.value_or("")}; }
};

// Options that apply to one kind of hardware only; an error with the other.
class InapplicableOptions {
 public:
  // Contract: all names are declared.
  InapplicableOptions(const Options& options, const std::vector<std::string>& names);

  // Fails if one of them was given: "--memory applies to systolic arrays, ...".
  Result<> check(std::string_view why) const;

 private:
  std::vector<std::pair<std::string, std::function<bool()>>> given_;
};

}  // namespace ergon::app
