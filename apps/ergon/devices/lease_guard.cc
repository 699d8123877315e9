#include "devices/lease_guard.h"

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
#include "device/lease/lease_place.h"
#include "device/nvml/find.h"

namespace ergon::app {
namespace {

constexpr const char* kWord = "lease-guard";
constexpr Seconds kPatience{10};  // with what stands in the way of restoring
constexpr Seconds kSure{2};       // after the pipe's end, where nobody tells that a process is gone

// Written once, at the beginning of main(): this program can be its own guard.
bool knows_the_word = false;
// This process's end of the pipe; it is closed by nothing but the end of the process.
int lifeline = -1;

// Whatever else was inherited would be kept open: a lock, a pipe that somebody waits for the end of.
void close_all_but_standard_streams() {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  const long most = std::min(::sysconf(_SC_OPEN_MAX), 65536L);
  for (int fd = 3; fd < most; ++fd) ::close(fd);
}

// The process as a file that can be waited for; -1 where kernels do not have that.
int open_process([[maybe_unused]] std::int64_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
#else
  return -1;
#endif
}

// Comes back when the process has ended. Whether none of its files is open any more: a process that dies
// closes them one by one, and its locks may outlive its end of the pipe by a moment.
bool wait_for_end(std::int64_t pid) {
  const int process = open_process(pid);
  char ignored = 0;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, &ignored, 1);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  if (process < 0) return false;
  pollfd end{process, POLLIN, 0};
  return ::poll(&end, 1, static_cast<int>(kSure.si() * 1e3)) == 1;
}

bool is_of(const std::vector<device::AbandonedLease>& abandoned, const device::Device& device) {
  return std::any_of(abandoned.begin(), abandoned.end(),
                     [&](const auto& each) { return each.uuid == device.identity().uuid; });
}

// Whether nothing is left to restore. The permission was given when the change was made; it covers taking it
// back.
bool restore(const device::LeasePlace& place) {
  const auto abandoned = device::abandoned_leases(place);
  if (!abandoned) return false;
  if (abandoned->empty()) return true;
  const auto found = device::nvml::find_devices();
  if (!found) return false;
  for (const auto& device : found->devices) {
    if (!is_of(*abandoned, *device)) continue;
    static_cast<void>(device::Lease::recover(*device, place, device::ControlAllowed::by_user()));
  }
  const auto left = device::abandoned_leases(place);
  return left && left->empty();
}

int guard(std::int64_t pid) {
  const bool gone = wait_for_end(pid);
  const auto folder = device::state_folder();
  if (!folder) return kExitFailed;
  const auto place = device::lease_place(*folder);
  if (!place) return kExitFailed;
  SystemClock clock;
  const Instant begin = clock.now();
  for (;;) {
    const bool restored = restore(*place);
    if (restored && (gone || clock.now() - begin >= kSure)) return kExitDone;
    if (clock.now() - begin >= kPatience) return kExitFailed;
    constexpr Seconds kPause{0.1};
    clock.sleep_until(clock.now() + kPause);
  }
}

}  // namespace

std::optional<int> lease_guard_main(const std::vector<std::string>& words) {
  knows_the_word = true;
  if (words.size() != 2 || words[0] != kWord) return std::nullopt;
  const auto pid = parse_int64(words[1]);
  if (!pid || *pid <= 0 || *pid > INT32_MAX) return std::nullopt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  close_all_but_standard_streams();
  return guard(*pid);
}

Result<> start_lease_guard() {
  if (!knows_the_word || lifeline >= 0) return {};
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno_error(errno).in("guarding leases");
  const std::string pid = std::to_string(::getpid());
  std::string program = "ergon", word = kWord, whose = pid;
  char* const words[] = {program.data(), word.data(), whose.data(), nullptr};

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
  const int failed = ::posix_spawn(&guard, "/proc/self/exe", &files, &attributes, words, environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    return errno_error(failed).in("guarding leases");
  }
  lifeline = ends[1];
  return {};
}

}  // namespace ergon::app
