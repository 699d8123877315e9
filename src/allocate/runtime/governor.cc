#include "allocate/runtime/governor.h"

#include <algorithm>
#include <cmath>

namespace ergon::allocate {
namespace {

constexpr double kNear = 0.02;                // tolerance for matching a share to a row
constexpr double kTimeNoise = 0.01;           // relative noise of measured times
constexpr double kMaxRange = 0.2;             // wider ranges of shares are uninformative
constexpr std::size_t kMaxUninformative = 4;  // layers before one is run with the first row
constexpr double kMaxDelay = 0.004;           // share of the expected time

constexpr double kMinShare = 0.01;  // below any realistic share

// Time of a row at a share between or below those of the plan: linear in 1/share, as for a memory-bound
// layer.
double time_at(const schedule::File& plan, const schedule::Row& row, double share) {
  if (plan.shares.size() == 1) return row.time_seconds[0];
  std::size_t upper = 0;
  while (upper + 2 < plan.shares.size() && plan.shares[upper + 1] > share) ++upper;
  const double a = 1 / plan.shares[upper], b = 1 / plan.shares[upper + 1];
  return std::lerp(row.time_seconds[upper], row.time_seconds[upper + 1],
                   std::max(0.0, (1 / share - a) / (b - a)));
}

// The share between two shares of the plan, or below them, at which a row takes this long.
double share_at(const schedule::File& plan, const schedule::Row& row, std::size_t upper, double time) {
  const double before = row.time_seconds[upper], after = row.time_seconds[upper + 1];
  const double part = after > before ? std::max(0.0, (time - before) / (after - before)) : 0;
  return std::max(kMinShare, 1 / std::lerp(1 / plan.shares[upper], 1 / plan.shares[upper + 1], part));
}

// The highest share at which a row takes at least this long. Contract: two shares or more.
double highest_share(const schedule::File& plan, const schedule::Row& row, double time) {
  const std::vector<double>& times = row.time_seconds;
  if (time <= times.front()) return 1;
  std::size_t upper = 0;
  while (upper + 2 < times.size() && times[upper + 1] < time) ++upper;
  return share_at(plan, row, upper, time);
}

// The lowest share at which it takes no longer.
double lowest_share(const schedule::File& plan, const schedule::Row& row, double time) {
  const std::vector<double>& times = row.time_seconds;
  std::size_t upper = times.size() - 2;
  while (upper > 0 && times[upper] > time) --upper;
  return times[upper + 1] > times[upper] ? share_at(plan, row, upper, time) : plan.shares[upper + 1];
}

bool is_informative(const BandwidthShareRange& range) { return range.high - range.low <= kMaxRange; }

}  // namespace

BandwidthShareRange shares_of(const schedule::File& plan, const schedule::Row& row, Seconds measured) {
  // A row whose time does not depend on the share is slow for another reason.
  if (plan.shares.size() == 1 || row.time_seconds.back() <= row.time_seconds.front() * (1 + 3 * kTimeNoise))
    return {0, 1};
  return {lowest_share(plan, row, measured.si() * (1 + kTimeNoise)),
          highest_share(plan, row, measured.si() * (1 - kTimeNoise))};
}

namespace {

bool would_inform(const schedule::File& plan, const schedule::Row& row, double share) {
  return is_informative(shares_of(plan, row, Seconds{time_at(plan, row, share)}));
}

}  // namespace

std::size_t choose_row(const schedule::File& plan, const GovernorState& state, std::size_t layer) {
  if (state.delay > state.expected * kMaxDelay || state.share < plan.shares.back() - kNear) return 0;
  if (state.uninformative >= kMaxUninformative && would_inform(plan, plan.layers[layer].rows[0], state.share))
    return 0;
  std::size_t row = 0;
  while (row + 1 < plan.layers[layer].rows.size() && plan.shares[row + 1] >= state.share - kNear) ++row;
  return row;
}

void observe(const schedule::File& plan, GovernorState& state, std::size_t layer, std::size_t row,
             Seconds measured) {
  const std::vector<schedule::Row>& rows = plan.layers[layer].rows;
  const BandwidthShareRange range = shares_of(plan, rows[row], measured);
  const double before = state.share;
  const bool returned = before < range.low;
  if (returned || before > range.high) state.share = highest_share(plan, rows[row], measured.si());
  if (is_informative(range)) {
    state.uninformative = 0;
  } else if (would_inform(plan, rows[0], state.share)) {
    ++state.uninformative;
  }
  double first = time_at(plan, rows[0], state.share);
  if (returned) {
    // Bandwidth returned during the layer: part of it ran at the previous share, the rest at most at full
    // bandwidth.
    const double slow = time_at(plan, rows[row], before), fast = time_at(plan, rows[row], 1);
    const double part = slow > fast ? std::clamp((measured.si() - fast) / (slow - fast), 0.0, 1.0) : 0;
    first = std::lerp(time_at(plan, rows[0], 1), time_at(plan, rows[0], before), part);
  }
  state.delay += measured - Seconds{first};
  state.expected += Seconds{first};
}

}  // namespace ergon::allocate
