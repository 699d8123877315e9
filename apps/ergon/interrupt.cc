#include "interrupt.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/errc.h"

namespace ergon::app {
namespace {

// A signal handler may do little more than write to a pipe; a thread at the other end does the rest.
int pipe_ends[2] = {-1, -1};
constexpr char kSignal = 's';
constexpr char kQuit = 'q';

void on_signal(int) {
  const int saved_errno = errno;
  [[maybe_unused]] const auto written = ::write(pipe_ends[1], &kSignal, 1);
  errno = saved_errno;
}

}  // namespace

Interrupt::Interrupt() {
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return;
  // The watcher must not be the thread that a signal interrupts: the one that blocks in a read is.
  sigset_t both{}, before{};
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &both, &before);
  watcher_ = std::jthread([this] {
    char what = 0;
    for (bool again = false; ::read(pipe_ends[0], &what, 1) == 1 && what == kSignal; again = true) {
      if (again) ::_exit(kExitInterrupted);
      stop_.request_stop();
    }
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

  struct sigaction action {};
  action.sa_handler = on_signal;  // no SA_RESTART: blocking calls return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  [[maybe_unused]] const auto written = ::write(pipe_ends[1], &kQuit, 1);
}

}  // namespace ergon::app
