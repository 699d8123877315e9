#include "interrupt.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/errc.h"

namespace ergon::app {
namespace {

// A signal handler may do little more than write to a pipe. A thread reads the pipe and requests the stop.
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
  // Signals must interrupt the main thread, which may block in a read, and not the thread that reads the
  // pipe.
  sigset_t stop_signals{}, previous{};
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGINT);
  sigaddset(&stop_signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &stop_signals, &previous);
  signal_thread_ = std::jthread([this] {
    char byte = 0;
    for (bool second = false; ::read(pipe_ends[0], &byte, 1) == 1 && byte == kSignal; second = true) {
      if (second) ::_exit(kExitInterrupted);
      stop_.request_stop();
    }
  });
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);

  struct sigaction action {};
  action.sa_handler = on_signal;  // no SA_RESTART: blocking calls return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  [[maybe_unused]] const auto written = ::write(pipe_ends[1], &kQuit, 1);
}

}  // namespace ergon::app
