#pragma once

#include <stop_token>
#include <thread>

namespace ergon::app {

// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request that the work can see, so that it ends in an orderly
// way; a second one ends the program at once. Blocking reads return early. One per program, made before any
// other thread.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace ergon::app
