#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "options.h"
#include "profile/plan.h"

namespace ergon::app {

// Options of `ergon profile`.
struct ProfileSettings {
  std::string device;
  std::vector<std::string> networks, batches, modes, precisions, clocks, measure, operation_types;
  std::string layout = "auto";
  std::optional<std::int64_t> size;
  std::optional<Seconds> duration, warm_up, time_limit;
  std::uint64_t repeats = 1, seed = 1;
  bool replay = false, overlap = false, resume = false, skip_unsupported = false, wait_idle = false,
       any_board = false, allow_control = false;
  std::string out;

  void declare(Options& options);
  // Checks combinations of options. Errors: permission, invalid_input.
  Result<> check() const;
  // Contract: the options were parsed successfully.
  profile::ProfileGrid grid() const;
  // The networks, each once. Errors: those of loading them.
  Result<std::vector<profile::LoadedNetwork>> candidates() const;
};

}  // namespace ergon::app
