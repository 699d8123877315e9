#pragma once

#include <cstdint>

#include "base/contract.h"

namespace ergon::device::rapl {

// The running total of a counter that goes from 0 to `range` and then starts again at 0. A fall is a wrap:
// between two readings there may be one, and a second would not be seen.
//
// Linux gives the range as the largest reading, so one more step leads to 0. The hardware's step is tens of
// microjoules, of which one is known here: a wrap loses less than 1e-9 of itself.
class WrappingCounter {
 public:
  WrappingCounter(std::uint64_t first, std::uint64_t range) : last_(first), total_(first), range_(range) {
    ERGON_EXPECTS(first <= range);
  }

  std::uint64_t range() const { return range_; }

  // The total, first reading included, after one more reading. Contract: at most the range.
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
