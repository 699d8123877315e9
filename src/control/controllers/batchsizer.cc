#include "control/controllers/batchsizer.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

std::string reason_of(PseudoBinarySearch::Move move, Watts power, Watts cap, double alpha) {
  const auto watts = fmt::format("{:.0f} W", power.si());
  switch (move) {
    case PseudoBinarySearch::Move::up:
      return fmt::format("{} is below {:.0f} % of the cap: halfway up", watts, 100 * alpha);
    case PseudoBinarySearch::Move::down:
      return fmt::format("{} is above the cap of {:.0f} W: halfway down", watts, cap.si());
    case PseudoBinarySearch::Move::stuck:
      return fmt::format("{} is above the cap of {:.0f} W; no lower setting exists", watts, cap.si());
    case PseudoBinarySearch::Move::stay:
      break;
  }
  return fmt::format("{}: no change", watts);
}

}  // namespace

BatchSizer::BatchSizer(std::vector<std::int64_t> batches, std::optional<Hertz> clock, double alpha)
    : batches_(std::move(batches)), clock_(clock), search_(batches_.size(), alpha) {
  ERGON_EXPECTS(!batches_.empty());
}

Action BatchSizer::first(Watts) { return {point(), "the smallest batch"}; }

Action BatchSizer::step(const Feedback& feedback) {
  if (!feedback.power) return {point(), "no power reading: no change"};
  const auto move = search_.step(*feedback.power, feedback.cap);
  return {point(), reason_of(move, *feedback.power, feedback.cap, search_.alpha())};
}

Dvfs::Dvfs(std::int64_t batch, std::vector<Hertz> clocks, double alpha)
    : batch_(batch), clocks_(std::move(clocks)), search_(clocks_.size(), alpha) {
  ERGON_EXPECTS(!clocks_.empty());
}

std::int64_t Dvfs::batch_of(const std::vector<std::int64_t>& batches) {
  return *std::ranges::min_element(batches, {}, [](std::int64_t batch) { return std::abs(batch - kBatch); });
}

Point Dvfs::point() const { return {batch_, clocks_[search_.index()]}; }
Action Dvfs::first(Watts) { return {point(), "the lowest clock"}; }

Action Dvfs::step(const Feedback& feedback) {
  if (!feedback.power) return {point(), "no power reading: no change"};
  const auto move = search_.step(*feedback.power, feedback.cap);
  return {point(), reason_of(move, *feedback.power, feedback.cap, search_.alpha())};
}

std::vector<std::int64_t> powers_of_two(const std::vector<std::int64_t>& batches) {
  constexpr std::int64_t kMaxBatch = 256;
  std::vector<std::int64_t> chosen;
  std::copy_if(batches.begin(), batches.end(), std::back_inserter(chosen), [](std::int64_t batch) {
    return batch <= kMaxBatch && std::has_single_bit(static_cast<std::uint64_t>(batch));
  });
  return chosen.size() < 2 ? batches : chosen;
}

}  // namespace ergon::control
