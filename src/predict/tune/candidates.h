#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/predictor.h"
#include "predict/tune/operating_point.h"

namespace ergon::predict {

// A batch that does not fit the memory.
struct LeftOut {
  std::int64_t batch = 1;
  std::string why;
};

// A network on a device at every batch that fits.
struct Contender {
  device::Specification gpu;
  std::vector<Outlook> outlooks;  // by batch, ascending
  std::vector<LeftOut> left_out;
};

// `jobs`: the network at each batch, ascending. Errors: none of them fits.
Result<Contender> contender_of(const Predictor& predictor, std::span<const Job> jobs);

// Which settings a search may use.
struct Reach {
  std::optional<Hertz> clock_from, clock_to;  // nothing: as far as the GPU goes
  bool lock_clocks = true;                    // false: the GPU's own clock only
  std::optional<std::vector<Watts>> limits;   // besides the usual one; nothing: as limits_of has it
};

// Power limits to try, the usual one first; of those in `reach` the ones that the GPU takes. Where nobody
// named any: the highest, and some evenly spaced if clocks cannot be locked. Where they can, a lower limit
// does what a lower clock does, but where the clock comes to rest then depends on what power was predicted.
std::vector<Watts> limits_of(const device::Specification& gpu, const Reach& reach);

// All operating points that differ. The order decides between equals: small batches first, then the usual
// limit, then the GPU's own clock, then low clocks.
//
// A clock that the limit does not let the GPU reach, and a limit that does not hold it back, are no points of
// their own. Points that break their limit are left out. Where clocks are bounded from above, the GPU's own
// is not among them. Errors: no clock within reach; no limit that is kept.
Result<std::vector<OperatingPoint>> candidates_of(const Contender& contender, const Reach& reach);

// Its own clock and the usual limit.
OperatingPoint default_point(const Contender& contender, const Outlook& outlook);

}  // namespace ergon::predict
