#pragma once

// Objects with a thread behind them.
//
// At interpreter exit they are destroyed while Python still runs (close_all), because a thread that reads
// devices while the process destroys its static objects would crash. In a forked child their threads do not
// exist: they are abandoned without running a destructor, which would wait for such a thread.

#include <ergon/result.h>
#include <optional>
#include <set>
#include <unistd.h>
#include <utility>

#include "raise.h"

namespace ergon::python {

class Closable {
 public:
  Closable() { all().insert(this); }
  Closable(const Closable&) = delete;
  Closable& operator=(const Closable&) = delete;
  virtual ~Closable() { all().erase(this); }

  virtual void close() = 0;

  // Guarded by the GIL.
  static std::set<Closable*>& all() {
    static auto* const objects = new std::set<Closable*>();  // outlives Python
    return *objects;
  }
};

template <typename T>
class Owned final : public Closable {
 public:
  explicit Owned(T value) : value_(std::move(value)), process_(getpid()) {}
  ~Owned() override { close(); }

  // Raises if the object was closed.
  T& operator*() {
    if (!value_) raise({Errc::invalid_input, "Ergon has been closed, because Python exits"});
    return *value_;
  }

  void close() override {
    if (!value_) return;
    if (getpid() != process_) {
      [[maybe_unused]] auto* const abandoned = new T(std::move(*value_));
      value_.reset();
      return;
    }
    const pybind11::gil_scoped_release unlocked;
    value_.reset();
  }

 private:
  std::optional<T> value_;
  pid_t process_;
};

}  // namespace ergon::python
