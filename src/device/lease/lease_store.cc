#include "device/lease/lease_store.h"

#include <cstdlib>
#include <unistd.h>

#include "base/file.h"
#include "base/home_folder.h"
#include "base/text.h"

namespace ergon::device {
namespace fs = std::filesystem;

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

StateEnvironment state_environment() {
  const auto home = home_folder();
  return {variable("ERGON_STATE"), variable("XDG_STATE_HOME"), home ? home->string() : "", ::geteuid() == 0};
}

Result<fs::path> state_folder(const StateEnvironment& environment) {
  if (!environment.ergon_state.empty()) {
    std::error_code failed;
    fs::path folder = fs::absolute(environment.ergon_state, failed);
    if (failed) return errno_error(failed.value()).in(environment.ergon_state);
    return folder;
  }
  if (environment.root) return fs::path("/var/lib/ergon");
  if (fs::path(environment.xdg_state_home).is_absolute())
    return fs::path(environment.xdg_state_home) / "ergon";
  if (fs::path(environment.home).is_absolute()) return fs::path(environment.home) / ".local/state/ergon";
  return fail(Errc::not_found, "no home folder for state files; set ERGON_STATE to a folder");
}

Result<LeaseStore> lease_store(const fs::path& state_folder) {
  const auto boot = read_file("/proc/sys/kernel/random/boot_id");
  if (!boot) return boot.error();
  return LeaseStore{state_folder / "leases", std::string(trim(*boot))};
}

}  // namespace ergon::device
