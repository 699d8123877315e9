#include "service/jobs/process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"

namespace ergon::service {
namespace {

constexpr int kCannotRun = 127;

// Between fork and exec only async-signal-safe functions may be called, because other threads no longer exist
// and may have held locks.
[[noreturn]] void exec_child(char* const* words, int out, int err, int parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGINT);
  if (::getppid() != parent) ::_exit(kCannotRun);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none{};
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  ::execv(words[0], words);
  ::_exit(kCannotRun);
}

// Closes the file at the end of the scope.
struct OpenFile {
  int fd;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

Result<Process> Process::start(const std::vector<std::string>& words, const std::filesystem::path& out,
                               const std::filesystem::path& err) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const OpenFile out_file{::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  if (out_file.fd < 0) return errno_error(errno).in(out.string());
  const OpenFile err_file{::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  if (err_file.fd < 0) return errno_error(errno).in(err.string());
  const int parent = ::getpid();
  // Signals are blocked until exec; otherwise the child could run this program's handlers.
  sigset_t all{}, before{};
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int pid = ::fork();
  if (pid == 0) exec_child(arguments.data(), out_file.fd, err_file.fd, parent);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return errno_error(reason).in("a new process");
  ::setpgid(pid, pid);  // parent and child both do it, to avoid a race
  return Process(pid);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_code_(other.exit_code_) {}

Process::~Process() {
  if (pid_ < 0 || ended()) return;
  kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> Process::ended() {
  if (exit_code_ || pid_ < 0) return exit_code_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return exit_code_;
}

// The whole group, because the command may have started others.
void Process::interrupt() const {
  if (pid_ > 0 && !exit_code_) ::kill(-pid_, SIGINT);
}

void Process::kill() const {
  if (pid_ > 0 && !exit_code_) ::kill(-pid_, SIGKILL);
}

}  // namespace ergon::service
