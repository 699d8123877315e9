#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "options.h"
#include "profile/plan.h"

namespace ergon::app {

// What `ergon profile` was asked for.
struct ProfileSettings {
  std::string device;
  std::vector<std::string> networks, batches, modes, precisions, clocks, what, kinds;
  std::string layout = "auto";
  std::optional<std::int64_t> size;
  std::optional<Seconds> time, warm_up, limit;
  std::uint64_t repeats = 1, seed = 1;
  bool replay = false, overlap = false, resume = false, skip_unsupported = false, wait_idle = false,
       any_board = false, allow_control = false;
  std::string out;

  void declare(Options& options);
  // What does not fit together. Errors: permission, invalid_input.
  Result<> check() const;
  // Contract: the line was understood, so every word is one that is allowed.
  profile::Grid grid() const;
  // The networks, each once. Errors: whatever loading them can do.
  Result<std::vector<profile::Candidate>> candidates() const;
};

}  // namespace ergon::app
