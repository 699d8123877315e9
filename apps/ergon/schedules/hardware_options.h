#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "allocate/hardware_request.h"
#include "options.h"

namespace ergon::app {

// The options of an accelerator and its memory.
struct HardwareOptions {
  allocate::HardwareRequest request;

  // Hardware of the command: an array, or an array or a GPU, whose options are then in a section of the help.
  enum class Applies : std::uint8_t { to_arrays, also_to_gpus };
  void declare(Options& options, Applies applies = Applies::to_arrays);

  // The options that apply to arrays only.
  static const std::vector<std::string>& array_only();
};

}  // namespace ergon::app
