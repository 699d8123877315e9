#include "allocate/runtime/governor.h"

#include <algorithm>
#include <cmath>

namespace ergon::allocate {
namespace {

constexpr double kNear = 0.02;        // shares this close to a row's are that row's
constexpr double kTimeNoise = 0.01;   // times this close to each other are the same
constexpr double kTelling = 0.2;      // a range of shares wider than this tells nothing
constexpr std::size_t kPatience = 4;  // layers that may tell nothing
constexpr double kTooLate = 0.004;    // of the time expected

constexpr double kLeastShare = 0.01;  // less than any neighbour leaves

// A row's time at a share between those of the plan, or below them: linear in 1/share, as a layer that only
// waits for memory would be.
double time_at(const schedule::File& plan, const schedule::Row& row, double share) {
  if (plan.shares.size() == 1) return row.time_seconds[0];
  std::size_t upper = 0;
  while (upper + 2 < plan.shares.size() && plan.shares[upper + 1] > share) ++upper;
  const double a = 1 / plan.shares[upper], b = 1 / plan.shares[upper + 1];
  return std::lerp(row.time_seconds[upper], row.time_seconds[upper + 1],
                   std::max(0.0, (1 / share - a) / (b - a)));
}

// The share between two of the plan's, or below them, at which a row takes this long.
double share_at(const schedule::File& plan, const schedule::Row& row, std::size_t upper, double time) {
  const double before = row.time_seconds[upper], after = row.time_seconds[upper + 1];
  const double part = after > before ? std::max(0.0, (time - before) / (after - before)) : 0;
  return std::max(kLeastShare, 1 / std::lerp(1 / plan.shares[upper], 1 / plan.shares[upper + 1], part));
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

bool tells(const ShareRange& range) { return range.high - range.low <= kTelling; }

}  // namespace

ShareRange shares_of(const schedule::File& plan, const schedule::Row& row, Seconds measured) {
  // A row that takes the same at any share is late for another reason.
  if (plan.shares.size() == 1 || row.time_seconds.back() <= row.time_seconds.front() * (1 + 3 * kTimeNoise))
    return {0, 1};
  return {lowest_share(plan, row, measured.si() * (1 + kTimeNoise)),
          highest_share(plan, row, measured.si() * (1 - kTimeNoise))};
}

namespace {

bool would_tell(const schedule::File& plan, const schedule::Row& row, double share) {
  return tells(shares_of(plan, row, Seconds{time_at(plan, row, share)}));
}

}  // namespace

std::size_t choose_row(const schedule::File& plan, const GovernorState& state, std::size_t layer) {
  if (state.lateness > state.expected * kTooLate || state.share < plan.shares.back() - kNear) return 0;
  if (state.unsure >= kPatience && would_tell(plan, plan.layers[layer].rows[0], state.share)) return 0;
  std::size_t row = 0;
  while (row + 1 < plan.layers[layer].rows.size() && plan.shares[row + 1] >= state.share - kNear) ++row;
  return row;
}

void observe(const schedule::File& plan, GovernorState& state, std::size_t layer, std::size_t row,
             Seconds measured) {
  const std::vector<schedule::Row>& rows = plan.layers[layer].rows;
  const ShareRange range = shares_of(plan, rows[row], measured);
  const double before = state.share;
  const bool back = before < range.low;
  if (back || before > range.high) state.share = highest_share(plan, rows[row], measured.si());
  if (tells(range)) {
    state.unsure = 0;
  } else if (would_tell(plan, rows[0], state.share)) {
    ++state.unsure;
  }
  double first = time_at(plan, rows[0], state.share);
  if (back) {
    // Bandwidth has come back on the way. Then a part of the layer had the share before and the rest, at
    // best, all of it.
    const double slow = time_at(plan, rows[row], before), fast = time_at(plan, rows[row], 1);
    const double part = slow > fast ? std::clamp((measured.si() - fast) / (slow - fast), 0.0, 1.0) : 0;
    first = std::lerp(time_at(plan, rows[0], 1), time_at(plan, rows[0], before), part);
  }
  state.lateness += measured - Seconds{first};
  state.expected += Seconds{first};
}

}  // namespace ergon::allocate
