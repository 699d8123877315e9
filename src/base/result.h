#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "base/contract.h"
#include "base/errc.h"

namespace ergon {

// What went wrong, in one line that a person can act on.
struct [[nodiscard]] Error {
  Errc kind = Errc::io;
  std::string message;

  // The same failure with context in front: Error{io, "short read"}.in("a.csv") reads "a.csv: short read".
  Error in(std::string_view context) const { return {kind, fmt::format("{}: {}", context, message)}; }
};

template <typename... Args>
Error fail(Errc kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

// A value or an Error. The compiler warns when a Result is ignored; reading the value of a failure aborts.
//
//   Result<Watts> power = meter.power();
//   if (!power) return power.error();
//   use(*power);
template <typename T = void>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& value() & { return ERGON_EXPECTS(*this), std::get<0>(state_); }
  const T& value() const& { return ERGON_EXPECTS(*this), std::get<0>(state_); }
  T&& value() && { return ERGON_EXPECTS(*this), std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T value_or(T fallback) const& { return *this ? std::get<0>(state_) : std::move(fallback); }
  const Error& error() const { return ERGON_EXPECTS(!*this), std::get<1>(state_); }

  // Calls `next` with the value, or returns the failure.
  template <typename F>
  auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
    if (!*this) return error();
    return std::forward<F>(next)(std::get<0>(std::move(state_)));
  }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const { return ERGON_EXPECTS(error_), *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace ergon
