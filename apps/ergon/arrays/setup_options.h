#pragma once

#include <optional>
#include <string>

#include "options.h"
#include "systolic/setup/setup.h"

namespace ergon::app {

// The valid names, for --help.
std::string accelerator_help();
std::string memory_help();

// The options of an array and its memory.
struct SetupOptions {
  std::optional<std::string> config;  // -c
  systolic::SetupRequest request;

  void declare(Options& options);
  // Errors: options that exclude each other; those of systolic::resolve().
  Result<systolic::Setup> resolve() const;
};

}  // namespace ergon::app
