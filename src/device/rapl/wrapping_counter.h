#pragma once

#include <cstdint>

#include "base/contract.h"

namespace ergon::device::rapl {

// Running total of a counter that counts from 0 to `range` and then wraps to 0. A decrease counts as one
// wrap; a second wrap between two readings is not detected.
//
// Linux reports the largest reading as the range, so the counter has range + 1 values. The hardware counts in
// steps of tens of microjoules, of which one microjoule is added here: the error is below 1e-9 per wrap.
class WrappingCounter {
 public:
  WrappingCounter(std::uint64_t first, std::uint64_t range) : last_(first), total_(first), range_(range) {
    ERGON_EXPECTS(first <= range);
  }

  std::uint64_t range() const { return range_; }

  // The total after one more reading; starts with the first reading. Contract: `reading` <= range().
  std::uint64_t advance(std::uint64_t reading) {
    ERGON_EXPECTS(reading <= range_);
    total_ += reading >= last_ ? reading - last_ : range_ - last_ + 1 + reading;
    last_ = reading;
    return total_;
  }

 private:
  std::uint64_t last_, total_, range_;
};

}  // namespace ergon::device::rapl
