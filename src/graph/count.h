#pragma once

#include <cstdint>

#include "base/result.h"

namespace ergon::graph {

// A 64-bit integer with a sticky overflow flag. Compute freely and check once at the end: value() fails if
// any step overflowed.
class Count {
 public:
  constexpr Count(std::int64_t value = 0) : value_(value) {}  // NOLINT: a plain integer is a count

  constexpr bool overflowed() const { return overflowed_; }

  Result<std::int64_t> value() const {
    if (overflowed_) return fail(Errc::invalid_input, "a count does not fit in 64 bits");
    return value_;
  }

  // Contract: not overflowed.
  std::int64_t exact() const { return ERGON_EXPECTS(!overflowed_), value_; }

  constexpr Count& operator+=(Count other) {
    overflowed_ |= other.overflowed_ | __builtin_add_overflow(value_, other.value_, &value_);
    return *this;
  }
  constexpr Count& operator-=(Count other) {
    overflowed_ |= other.overflowed_ | __builtin_sub_overflow(value_, other.value_, &value_);
    return *this;
  }
  constexpr Count& operator*=(Count other) {
    overflowed_ |= other.overflowed_ | __builtin_mul_overflow(value_, other.value_, &value_);
    return *this;
  }
  friend constexpr Count operator+(Count a, Count b) { return a += b; }
  friend constexpr Count operator-(Count a, Count b) { return a -= b; }
  friend constexpr Count operator*(Count a, Count b) { return a *= b; }

 private:
  std::int64_t value_;
  bool overflowed_ = false;
};

}  // namespace ergon::graph
