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

// A folder in memory if available: hundreds of kills are slow on a busy disk. Syncing has its own test.
inline TemporaryFolder quick_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  return {};
}

// A device and a folder for its lease journals.
struct LeaseFixture {
  TemporaryFolder folder = quick_folder();
  device::LeaseStore store{folder.path() / "state/leases", "boot-1"};
  SharedDevice gpu;

  LeaseFixture() { sync_spy().reset(); }

  std::filesystem::path journal_path() const {
    return store.folder / device::journal_name(gpu.identity().uuid);
  }
  std::string journal_text() const { return read_file(journal_path()).value_or("(no journal)"); }
  void set_journal_text(std::string_view text) const {
    std::filesystem::create_directories(store.folder);
    std::ofstream(journal_path(), std::ios::binary) << text;
  }
  Result<device::Lease> acquire(device::LeaseObserver* watch = nullptr) {
    return device::Lease::acquire(gpu, store, device::ControlAllowed::by_user(), watch);
  }
  Result<device::RestoreReport> recover(device::LeaseObserver* watch = nullptr) {
    return device::Lease::recover(gpu, store, device::ControlAllowed::by_user(), watch);
  }
};

// Kills the process at a step with SIGKILL.
class KillAt final : public device::LeaseObserver {
 public:
  explicit KillAt(int steps) : left_(steps) {}
  void on_step(device::LeaseStep step) override {
    if (left_-- > 0) return;
    killed_at() = static_cast<int>(step);
    ::kill(::getpid(), SIGKILL);
  }
  // Shared by forked processes; -1 if no process was killed.
  static int& killed_at() {
    static int* const shared = static_cast<int*>(
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
  }

 private:
  int left_;
};

// Runs in a child process and returns its wait status.
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
