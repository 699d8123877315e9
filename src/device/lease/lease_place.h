#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ergon::device {

// What decides where a program keeps what must outlive it. Empty: not set.
struct StateHints {
  std::string ergon_state;     // $ERGON_STATE
  std::string xdg_state_home;  // $XDG_STATE_HOME; does not count unless absolute
  std::string home;            // $HOME
  bool root = false;
};
StateHints state_hints();

// $ERGON_STATE; else /var/lib/ergon for root; else $XDG_STATE_HOME/ergon; else ~/.local/state/ergon. Always
// absolute; need not exist.
Result<std::filesystem::path> state_folder(const StateHints& hints = state_hints());

// Where leases are journaled. Who uses another folder, or another machine, is not excluded.
struct LeasePlace {
  std::filesystem::path folder;  // made, for its owner only, when the first lease is acquired
  std::string boot;              // tells this start of the machine from all others
};
Result<LeasePlace> lease_place(const std::filesystem::path& state_folder);

}  // namespace ergon::device
