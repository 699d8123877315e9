#include "fleet/account/duration_series.h"

#include <cmath>

#include "base/square.h"

namespace ergon::fleet {
namespace {

constexpr double kMinStrength = 6, kMinChange = 0.05;
constexpr std::size_t kMinBlocks = 8;  // on each side

}  // namespace

void DurationSeries::add(Timestamp start, double seconds) {
  if (blocks_.empty() || blocks_.back().count == width_) {
    if (blocks_.size() == kMaxBlocks) halve();
    blocks_.push_back({start, 0, 0});
  }
  blocks_.back().sum += seconds;
  ++blocks_.back().count;
}

void DurationSeries::halve() {
  for (std::size_t i = 0; i + 1 < blocks_.size(); i += 2) {
    const Block& a = blocks_[i];
    const Block& b = blocks_[i + 1];
    blocks_[i / 2] = {a.first, a.sum + b.sum, a.count + b.count};
  }
  blocks_.resize(blocks_.size() / 2);
  width_ *= 2;
}

std::optional<ChangePoint> DurationSeries::change() const {
  // Skip an incomplete last block: it would weigh as much as a full one.
  std::size_t full = blocks_.size();
  while (full > 0 && blocks_[full - 1].count < width_) --full;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < full; ++i) {
    const double mean = blocks_[i].sum / static_cast<double>(blocks_[i].count);
    sum += mean;
    squares += square(mean);
  }
  std::optional<ChangePoint> best;
  double left_sum = 0, left_squares = 0;
  for (std::size_t cut = 1; cut < full; ++cut) {
    const double mean = blocks_[cut - 1].sum / static_cast<double>(blocks_[cut - 1].count);
    left_sum += mean;
    left_squares += square(mean);
    if (cut < kMinBlocks || full - cut < kMinBlocks) continue;
    const auto n = static_cast<double>(cut), m = static_cast<double>(full - cut);
    const double before = left_sum / n, after = (sum - left_sum) / m;
    const double within =
        (left_squares - n * square(before) + (squares - left_squares) - m * square(after)) / (n + m - 2);
    const double error = std::sqrt(std::max(within, 0.0) * (1 / n + 1 / m)) + 1e-12 * before;
    const double strength = std::abs(after - before) / error;
    if (!best || strength > best->strength) best = ChangePoint{blocks_[cut].first, before, after, strength};
  }
  // Relative to durations of 0, a change has no finite size.
  if (!best || !(best->before_seconds > 0) || best->strength < kMinStrength ||
      std::abs(best->change()) < kMinChange)
    return std::nullopt;
  return best;
}

}  // namespace ergon::fleet
