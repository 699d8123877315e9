#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "device/lease/journal_folder.h"
#include "device/lease/lease.h"
#include "device/lease/shared_device.h"
#include "device/lease/sync_spy.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// A folder in memory where there is one: hundreds of kills are slow on a disk that is busy with something
// else, and what a disk adds, syncing, has a test of its own.
inline TemporaryFolder quick_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  return {};
}

// A device and a folder for the journals of its leases.
struct LeaseWorld {
  TemporaryFolder folder = quick_folder();
  device::LeasePlace place{folder.path() / "state/leases", "boot-1"};
  SharedDevice gpu;

  LeaseWorld() { sync_spy().reset(); }

  std::filesystem::path journal_path() const {
    return place.folder / device::journal_name(gpu.identity().uuid);
  }
  std::string journal_text() const { return read_file(journal_path()).value_or("(no journal)"); }
  void set_journal_text(std::string_view text) const {
    std::filesystem::create_directories(place.folder);
    std::ofstream(journal_path(), std::ios::binary) << text;
  }
  Result<device::Lease> acquire(device::LeaseWatch* watch = nullptr) {
    return device::Lease::acquire(gpu, place, device::ControlAllowed::by_user(), watch);
  }
  Result<device::RestoreReport> recover(device::LeaseWatch* watch = nullptr) {
    return device::Lease::recover(gpu, place, device::ControlAllowed::by_user(), watch);
  }
};

// Ends the process at a step, as nothing but SIGKILL can.
class KillAt final : public device::LeaseWatch {
 public:
  explicit KillAt(int steps) : left_(steps) {}
  void at(device::LeaseStep step) override {
    if (left_-- > 0) return;
    killed_at() = static_cast<int>(step);
    ::kill(::getpid(), SIGKILL);
  }
  // Shared by forked processes; -1: nobody was killed.
  static int& killed_at() {
    static int* const shared = static_cast<int*>(
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
  }

 private:
  int left_;
};

// Runs in a process of its own; its wait status.
inline int in_child(const std::function<void()>& act) {
  KillAt::killed_at() = -1;
  const pid_t child = ::fork();
  if (child == 0) {
    act();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}
inline bool killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

}  // namespace ergon::test
