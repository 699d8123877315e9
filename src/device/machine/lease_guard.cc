#include "device/machine/lease_guard.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/errc.h"
#include "base/file.h"
#include "base/text.h"
#include "device/lease/lease.h"
#include "device/lease/lease_abandoned.h"
#include "device/lease/lease_store.h"
#include "device/nvml/find.h"

namespace ergon::device {
namespace {

constexpr const char* kSubcommand = "lease-guard";
constexpr Seconds kRetryTime{10};   // how long restoring is retried
constexpr Seconds kProcessExit{2};  // time from end of file on the pipe to the end of the process, at most

// Set by lease_guard_main(): this program can be started as a guard.
bool can_be_guard = false;
// The write end of the pipe. Never closed explicitly: the kernel closes it when the process ends.
int lifeline = -1;

// Otherwise the guard would keep inherited locks and pipes open.
void close_all_but_standard_streams() {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  const long max_fd = std::min(::sysconf(_SC_OPEN_MAX), 65536L);
  for (int fd = 3; fd < max_fd; ++fd) ::close(fd);
}

// A pidfd of the process; -1 on kernels without pidfd_open.
int open_process([[maybe_unused]] std::int64_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
#else
  return -1;
#endif
}

// Waits until the process has ended. Returns whether its exit was confirmed. An exiting process closes its
// files one by one, so its locks may be released shortly after the pipe.
bool wait_for_end(std::int64_t pid) {
  const int process = open_process(pid);
  char ignored = 0;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, &ignored, 1);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  if (process < 0) return false;
  pollfd end{process, POLLIN, 0};
  return ::poll(&end, 1, static_cast<int>(kProcessExit.si() * 1e3)) == 1;
}

bool is_of(const std::vector<AbandonedLease>& abandoned, const Device& device) {
  return std::any_of(abandoned.begin(), abandoned.end(),
                     [&](const auto& each) { return each.uuid == device.identity().uuid; });
}

// Returns whether nothing is left to restore. --allow-control of the guarded process covers restoring.
bool restore(const LeaseStore& store) {
  const auto abandoned = abandoned_leases(store);
  if (!abandoned) return false;
  if (abandoned->empty()) return true;
  const auto found = device::nvml::find_devices();
  if (!found) return false;
  for (const auto& device : found->devices) {
    if (!is_of(*abandoned, *device)) continue;
    static_cast<void>(Lease::recover(*device, store, ControlAllowed::by_user()));
  }
  const auto left = abandoned_leases(store);
  return left && left->empty();
}

int guard(std::int64_t pid) {
  const bool gone = wait_for_end(pid);
  const auto folder = state_folder();
  if (!folder) return kExitFailed;
  const auto store = lease_store(*folder);
  if (!store) return kExitFailed;
  SystemClock clock;
  const Instant begin = clock.now();
  for (;;) {
    const bool restored = restore(*store);
    if (restored && (gone || clock.now() - begin >= kProcessExit)) return kExitDone;
    if (clock.now() - begin >= kRetryTime) return kExitFailed;
    constexpr Seconds kPause{0.1};
    clock.sleep_until(clock.now() + kPause);
  }
}

}  // namespace

std::optional<int> lease_guard_main(const std::vector<std::string>& arguments) {
  can_be_guard = true;
  if (arguments.size() != 2 || arguments[0] != kSubcommand) return std::nullopt;
  const auto pid = parse_int64(arguments[1]);
  if (!pid || *pid <= 0 || *pid > INT32_MAX) return std::nullopt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  close_all_but_standard_streams();
  return guard(*pid);
}

Result<> start_lease_guard() {
  if (!can_be_guard || lifeline >= 0) return {};
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno_error(errno).in("starting the lease guard");
  const std::string pid = std::to_string(::getpid());
  std::string program = "ergon", subcommand = kSubcommand, guarded = pid;
  char* const arguments[] = {program.data(), subcommand.data(), guarded.data(), nullptr};

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t guard = 0;
  const int failed = ::posix_spawn(&guard, "/proc/self/exe", &files, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    return errno_error(failed).in("starting the lease guard");
  }
  lifeline = ends[1];
  return {};
}

}  // namespace ergon::device
