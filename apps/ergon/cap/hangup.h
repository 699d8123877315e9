#pragma once

namespace ergon::app {

// SIGHUP as a wish to read a file again, while the object lives; afterwards it means again what it did
// before. One at a time.
class Hangup {
 public:
  Hangup();
  ~Hangup();
  Hangup(const Hangup&) = delete;
  Hangup& operator=(const Hangup&) = delete;

  // Whether one came since the last call.
  bool take();
};

}  // namespace ergon::app
