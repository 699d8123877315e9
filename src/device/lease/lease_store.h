#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ergon::device {

// The environment that determines the state folder. Empty means not set.
struct StateEnvironment {
  std::string ergon_state;     // $ERGON_STATE
  std::string xdg_state_home;  // $XDG_STATE_HOME; ignored unless absolute
  std::string home;            // home_folder()
  bool root = false;
};
StateEnvironment state_environment();

// $ERGON_STATE; else /var/lib/ergon for root; else $XDG_STATE_HOME/ergon; else ~/.local/state/ergon. The path
// is absolute; the folder need not exist.
Result<std::filesystem::path> state_folder(const StateEnvironment& environment = state_environment());

// The folder of the lease journals. Leases exclude each other only within the same folder.
struct LeaseStore {
  std::filesystem::path folder;  // created with mode 0700 when the first lease is acquired
  std::string boot;              // boot id of the running kernel
};
Result<LeaseStore> lease_store(const std::filesystem::path& state_folder);

}  // namespace ergon::device
