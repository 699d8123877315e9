#pragma once

// Failures of the library as Python exceptions.

#include <ergon/result.h>
#include <pybind11/pybind11.h>
#include <utility>

namespace ergon::python {

// Raises the class of ergon._errors for the kind of the error.
[[noreturn]] void raise(const Error& error);

// The value, or an exception.
template <typename T>
T value_of(Result<T>&& result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

inline void check(const Result<>& result) {
  if (!result) raise(result.error());
}

}  // namespace ergon::python
