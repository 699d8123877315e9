#pragma once

namespace ergon::app {

// Catches SIGHUP while the object lives; the destructor restores the previous handler. At most one object at
// a time.
class Hangup {
 public:
  Hangup();
  ~Hangup();
  Hangup(const Hangup&) = delete;
  Hangup& operator=(const Hangup&) = delete;

  // Whether SIGHUP arrived since the last call.
  bool take();
};

}  // namespace ergon::app
