#pragma once

#include "control/controller.h"
#include "control/ladder.h"

namespace ergon::control {

// BatchSizer as it was published: ten batches per decision, the highest of the readings, powers of two unless
// other batches are given, the clock left to the device.
class BatchSizer final : public Controller {
 public:
  static constexpr double kAlpha = 0.8;

  // Contract: batches ascend, and there is at least one.
  explicit BatchSizer(std::vector<std::int64_t> batches, std::optional<Hertz> clock = {},
                      double alpha = kAlpha);

  std::string_view name() const override { return "batchsizer"; }
  Action first(Watts cap) override;
  Action step(const Reading& reading) override;

 private:
  Point point() const { return {batches_[ladder_.rung()], clock_}; }
  std::vector<std::int64_t> batches_;
  std::optional<Hertz> clock_;
  Ladder ladder_;
};

// What it was compared with: the same search over clocks, at one batch.
class Dvfs final : public Controller {
 public:
  static constexpr std::int64_t kBatch = 16;
  // Of a set, the nearest to that. Contract: there is one.
  static std::int64_t batch_of(const std::vector<std::int64_t>& batches);

  // Contract: clocks ascend, and there is at least one.
  Dvfs(std::int64_t batch, std::vector<Hertz> clocks, double alpha = BatchSizer::kAlpha);

  std::string_view name() const override { return "dvfs"; }
  Action first(Watts cap) override;
  Action step(const Reading& reading) override;

 private:
  Point point() const;
  std::int64_t batch_;
  std::vector<Hertz> clocks_;
  Ladder ladder_;
};

// Of a set, those the paper uses: 1, 2, 4, ... 256; all of them if there are fewer than two.
std::vector<std::int64_t> powers_of_two(const std::vector<std::int64_t>& batches);

}  // namespace ergon::control
