#include "measure/child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <future>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::app {
namespace {

// A terminal sends Ctrl-C to the command too. It gets this time to end before SIGTERM is sent.
constexpr Seconds kGracePeriod{1};

constexpr std::chrono::milliseconds kPollInterval{20};

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& command, bool output_to_error) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t ours, none;
  sigemptyset(&none);
  sigemptyset(&ours);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&ours, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &ours);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  if (output_to_error) ::posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, words[0], &files, &attributes, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (failed == ENOENT) return fail(Errc::not_found, "command \"{}\" not found", printable(command[0]));
  if (failed != 0) {
    const Error error = errno_error(failed);
    return Error{failed == EACCES || failed == ENOEXEC ? Errc::permission : error.kind,
                 fmt::format("cannot run \"{}\": {}", printable(command[0]), error.message)};
  }
  return Child(pid);
}

Ending Child::wait(Clock& clock, const std::stop_token& stop, const std::function<void()>& at_end) const {
  const auto pid = static_cast<pid_t>(pid_);
  std::promise<void> ended;
  auto end = ended.get_future();
  // WNOWAIT keeps the PID reserved until the last signal was sent.
  std::jthread watcher([&] {
    siginfo_t information{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    try {
      at_end();
      ended.set_value();
    } catch (...) {
      ended.set_exception(std::current_exception());
    }
  });
  std::optional<Instant> kill_at;
  bool killed = false;
  while (end.wait_for(kPollInterval) != std::future_status::ready) {
    if (!stop.stop_requested() || killed) continue;
    if (!kill_at) kill_at = clock.now() + kGracePeriod;
    if (clock.now() < *kill_at) continue;
    ::kill(pid, SIGTERM);
    killed = true;
  }
  int status = 0;
  const bool reaped = ::waitpid(pid, &status, 0) == pid;
  end.get();  // rethrows
  if (!reaped) return {};
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace ergon::app
