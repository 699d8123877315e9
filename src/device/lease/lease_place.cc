#include "device/lease/lease_place.h"

#include <cstdlib>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::device {
namespace fs = std::filesystem;

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

StateHints state_hints() {
  return {environment("ERGON_STATE"), environment("XDG_STATE_HOME"), environment("HOME"), ::geteuid() == 0};
}

Result<fs::path> state_folder(const StateHints& hints) {
  if (!hints.ergon_state.empty()) {
    std::error_code failed;
    fs::path folder = fs::absolute(hints.ergon_state, failed);
    if (failed) return errno_error(failed.value()).in(hints.ergon_state);
    return folder;
  }
  if (hints.root) return fs::path("/var/lib/ergon");
  if (fs::path(hints.xdg_state_home).is_absolute()) return fs::path(hints.xdg_state_home) / "ergon";
  if (fs::path(hints.home).is_absolute()) return fs::path(hints.home) / ".local/state/ergon";
  return fail(Errc::not_found, "no home folder to keep state in; set ERGON_STATE to a folder");
}

Result<LeasePlace> lease_place(const fs::path& state_folder) {
  const auto boot = read_file("/proc/sys/kernel/random/boot_id");
  if (!boot) return boot.error();
  return LeasePlace{state_folder / "leases", std::string(trim(*boot))};
}

}  // namespace ergon::device
