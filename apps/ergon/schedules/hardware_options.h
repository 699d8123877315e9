#pragma once

#include <cstdint>

#include "allocate/hardware_request.h"
#include "options.h"

namespace ergon::app {

// The options of an accelerator and its memory.
struct HardwareOptions {
  allocate::HardwareRequest request;

  // Options shown in the help: all, or the common ones.
  enum class Help : std::uint8_t { all, common };
  void declare(Options& options, Help help = Help::all);
};

}  // namespace ergon::app
