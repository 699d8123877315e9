// As long as the sum stays between two powers of two, numbers are evenly spaced, and adding the same value
// moves the sum by the same whole number of spacings every time: the value rounded to the spacing. Only a
// value that ends exactly between two spacings rounds either way, by the parity of the sum, and after one
// addition that parity is even and stays so. Hence the second addition within such a range shows the step,
// and all further ones up to the next power of two can be taken at once; the product is exact because the
// result is a number of this spacing.

#include "systolic/replay/repeated_sum.h"

#include <algorithm>
#include <cmath>

namespace ergon::systolic {

double add_repeatedly(double sum, double value, std::int64_t count) {
  while (count > 0) {
    const double first = sum + value;
    if (count == 1) return first;
    const double second = first + value;
    count -= 2;
    const double step = second - first;
    const double limit = std::exp2(std::ilogb(second) + 1);
    // The step shows itself when the addition before it, from `sum`, was made in the same range already.
    const bool settled = step > 0 && sum >= limit / 2;
    const double room = settled ? std::floor((limit - second) / step) - 2 : 0;
    sum = second;
    if (room > 0) {
      const auto jump = std::min(count, static_cast<std::int64_t>(std::min(room, 9e15)));
      sum += static_cast<double>(jump) * step;
      count -= jump;
    } else if (step == 0) {
      return sum;
    }
  }
  return sum;
}

}  // namespace ergon::systolic
