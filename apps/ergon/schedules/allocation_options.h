#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocate/demand.h"
#include "arrays/layer_source.h"
#include "schedules/hardware_options.h"
#include "shell.h"

namespace ergon::app {

// Network, hardware and slack from the command line.
struct AllocationOptions {
  LayerSource layers;
  HardwareOptions hardware;
  std::optional<double> slack;

  void declare(Options& options, HardwareOptions::Applies applies = HardwareOptions::Applies::to_arrays);

  struct Loaded {
    std::string network;
    allocate::ResolvedHardware hardware;
    std::vector<allocate::LayerDemand> demands;
    std::vector<std::string> files;
  };
  Result<Loaded> load(const Shell& shell) const;
};

// "46.4 %" for 0.464.
std::string saving_text(double saving);
// "+3.2 %" for 0.032.
std::string change_text(double change);

}  // namespace ergon::app
