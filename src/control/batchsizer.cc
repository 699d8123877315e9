#include "control/batchsizer.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

std::string reason_of(Ladder::Move move, Watts power, Watts cap, double alpha) {
  const auto watts = fmt::format("{:.0f} W", power.si());
  switch (move) {
    case Ladder::Move::up:
      return fmt::format("{} is below {:.0f} % of the cap: halfway up", watts, 100 * alpha);
    case Ladder::Move::down:
      return fmt::format("{} is above the cap of {:.0f} W: halfway down", watts, cap.si());
    case Ladder::Move::stuck:
      return fmt::format("{} is above the cap of {:.0f} W, and there is nothing lower", watts, cap.si());
    case Ladder::Move::stay:
      break;
  }
  return fmt::format("{}: stays", watts);
}

}  // namespace

BatchSizer::BatchSizer(std::vector<std::int64_t> batches, std::optional<Hertz> clock, double alpha)
    : batches_(std::move(batches)), clock_(clock), ladder_(batches_.size(), alpha) {
  ERGON_EXPECTS(!batches_.empty());
}

Action BatchSizer::first(Watts) { return {point(), "the smallest batch"}; }

Action BatchSizer::step(const Reading& reading) {
  if (!reading.power) return {point(), "no reading: stays"};
  const auto move = ladder_.step(*reading.power, reading.cap);
  return {point(), reason_of(move, *reading.power, reading.cap, ladder_.alpha())};
}

Dvfs::Dvfs(std::int64_t batch, std::vector<Hertz> clocks, double alpha)
    : batch_(batch), clocks_(std::move(clocks)), ladder_(clocks_.size(), alpha) {
  ERGON_EXPECTS(!clocks_.empty());
}

std::int64_t Dvfs::batch_of(const std::vector<std::int64_t>& batches) {
  return *std::ranges::min_element(batches, {}, [](std::int64_t batch) { return std::abs(batch - kBatch); });
}

Point Dvfs::point() const { return {batch_, clocks_[ladder_.rung()]}; }
Action Dvfs::first(Watts) { return {point(), "the lowest clock"}; }

Action Dvfs::step(const Reading& reading) {
  if (!reading.power) return {point(), "no reading: stays"};
  const auto move = ladder_.step(*reading.power, reading.cap);
  return {point(), reason_of(move, *reading.power, reading.cap, ladder_.alpha())};
}

std::vector<std::int64_t> powers_of_two(const std::vector<std::int64_t>& batches) {
  constexpr std::int64_t kMost = 256;
  std::vector<std::int64_t> chosen;
  std::copy_if(batches.begin(), batches.end(), std::back_inserter(chosen), [](std::int64_t batch) {
    return batch <= kMost && std::has_single_bit(static_cast<std::uint64_t>(batch));
  });
  return chosen.size() < 2 ? batches : chosen;
}

}  // namespace ergon::control
