#pragma once

#include <stop_token>
#include <thread>

namespace ergon::app {

// Turns SIGINT (Ctrl-C) and SIGTERM into a stop request, so that a command can end in an orderly way. A
// second signal ends the program at once. Blocking reads return early (EINTR). Create one per program, before
// any other thread.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread signal_thread_;
};

}  // namespace ergon::app
