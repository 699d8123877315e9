#include "service/jobs/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace ergon::service {
namespace {

constexpr rlim_t kDescriptors = 1024;
constexpr int kCannotRun = 127;
constexpr int kNiceness = 10;
// Of the kernel's choice of the process to end when memory runs out, from -1000 to 1000.
constexpr std::int64_t kOomScoreAbove = 500, kMaxOomScore = 1000;
constexpr const char* kOomScoreFile = "/proc/self/oom_score_adj";

// Where the child reports that it cannot run the program.
constexpr int kReportFile = STDERR_FILENO + 1;

struct ChildFiles {
  int out, err, report;
};

struct ChildRestrictions {
  rlim_t max_file;
  std::string oom_score;
};

// If a restriction cannot be set, the process runs without it.
void restrict_this_process(const ChildRestrictions& restrictions) {
  ::umask(077);  // what a job writes is for its user only
  const rlimit no_core{0, 0}, files{restrictions.max_file, restrictions.max_file};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_FSIZE, &files);
  // The server may have raised its own for connections; programs that use select(2) need the default.
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur > kDescriptors) {
    descriptors.rlim_cur = kDescriptors;
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
  }
  [[maybe_unused]] const int niceness = ::nice(kNiceness);
  const int score = ::open(kOomScoreFile, O_WRONLY);
  if (score < 0) return;
  [[maybe_unused]] const ssize_t written =
      ::write(score, restrictions.oom_score.data(), restrictions.oom_score.size());
  ::close(score);
}

// Between fork and exec only async-signal-safe functions may be called, because other threads no longer exist
// and may have held locks.
[[noreturn]] void exec_child(char* const* words, const ChildFiles& files,
                             const ChildRestrictions& restrictions, int parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGINT);
  if (::getppid() != parent) ::_exit(kCannotRun);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD, SIGXFSZ}) ::signal(signal, SIG_DFL);
  sigset_t none{};
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(files.out, STDOUT_FILENO);
  ::dup2(files.err, STDERR_FILENO);
  if (files.report != kReportFile) ::dup2(files.report, kReportFile);
  ::fcntl(kReportFile, F_SETFD, FD_CLOEXEC);
  ::close_range(kReportFile + 1, ~0U, 0);
  restrict_this_process(restrictions);
  ::execv(words[0], words);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(kReportFile, &reason, sizeof reason);
  ::_exit(kCannotRun);
}

// Closes the file at the end of the scope.
struct OpenFile {
  int fd;
  ~OpenFile() { close(); }
  void close() {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

// Above that of this program, so that the kernel ends jobs first.
std::string oom_score_of_child() {
  const auto own = parse_int64(trim(read_file(kOomScoreFile).value_or("")));
  return std::to_string(std::min(own.value_or(0) + kOomScoreAbove, kMaxOomScore));
}

// Why the child cannot run the program, as an errno value; 0 if it runs it.
int exec_error(const OpenFile& report) {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(report.fd, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

}  // namespace

Result<Process> Process::start(const std::vector<std::string>& words, const std::filesystem::path& out,
                               const std::filesystem::path& err, std::optional<Bytes> max_file) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const OpenFile out_file{::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  if (out_file.fd < 0) return errno_error(errno).in(out.string());
  const OpenFile err_file{::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  if (err_file.fd < 0) return errno_error(errno).in(err.string());
  // Closed by a successful exec.
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) return errno_error(errno).in("a new process");
  const OpenFile report_read{report[0]};
  OpenFile report_write{report[1]};
  const ChildRestrictions restrictions{max_file ? static_cast<rlim_t>(max_file->si()) : RLIM_INFINITY,
                                       oom_score_of_child()};
  const int parent = ::getpid();
  // Signals are blocked until exec; otherwise the child could run this program's handlers.
  sigset_t all{}, before{};
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int pid = ::fork();
  if (pid == 0) {
    exec_child(arguments.data(), {out_file.fd, err_file.fd, report_write.fd}, restrictions, parent);
  }
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return errno_error(reason).in("a new process");
  ::setpgid(pid, pid);  // parent and child both do it, to avoid a race
  Process process(pid);
  report_write.close();
  if (const int cannot_run = exec_error(report_read); cannot_run != 0)
    return errno_error(cannot_run).in("cannot start " + words.front());
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_code_(other.exit_code_), signal_(other.signal_) {}

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
  if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
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
