#pragma once

// Failure as a value: functions of Ergon throw no exceptions. Whatever can go wrong with devices, files and
// input is returned as an Error inside a Result.

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "ergon/export.h"

namespace ergon {

// Kinds of failure. A kind exists only where a caller acts on it differently.
enum class Errc {
  unsupported,    // this device, file or build cannot do it
  permission,     // this user may not do it
  not_found,      // a file, folder, column or process that does not exist
  invalid_input,  // input that cannot be parsed or is out of range
  device_lost,    // a device that worked before no longer responds
  io,             // a read or write failed
  cancelled,      // the user or the caller requested a stop
  out_of_memory,  // a device has less memory than the work needs
  busy,           // another process holds it; a retry may succeed
  unknown_name,   // a name chosen from a known list (network, device, option value) that is not on it
  internal,       // a result violates a check of Ergon itself: a defect to report
};

// The name as in the enumeration: "invalid_input".
ERGON_API std::string_view name_of(Errc kind);

// What went wrong, in one line that a person can act on.
struct [[nodiscard]] Error {
  Errc kind = Errc::io;
  std::string message;

  // The same failure with context in front: Error{io, "short read"}.in("a.csv") reads "a.csv: short read".
  ERGON_API Error in(std::string_view context) const;
};

namespace detail {

// Abort with a message: the value of a failed Result, or the error of a successful one, was read.
[[noreturn]] ERGON_API void no_value();
[[noreturn]] ERGON_API void no_error();

}  // namespace detail

// A value or an Error. The compiler warns when a Result is ignored; reading the value of a failure aborts.
//
//   Result<Watts> power = gpu.power();
//   if (!power) return power.error();
//   use(*power);
template <typename T = void>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& value() & { return check(), std::get<0>(state_); }
  const T& value() const& { return check(), std::get<0>(state_); }
  T&& value() && { return check(), std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T value_or(T fallback) const& { return *this ? std::get<0>(state_) : std::move(fallback); }
  const Error& error() const {
    if (*this) detail::no_error();
    return std::get<1>(state_);
  }

  // Calls `next` with the value, or returns the failure.
  template <typename F>
  auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
    if (!*this) return error();
    return std::forward<F>(next)(std::get<0>(std::move(state_)));
  }

 private:
  void check() const {
    if (!*this) detail::no_value();
  }

  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const {
    if (!error_) detail::no_error();
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace ergon
