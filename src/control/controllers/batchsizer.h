#pragma once

#include "control/controller.h"
#include "control/controllers/pseudo_binary_search.h"

namespace ergon::control {

// BatchSizer as published: ten batches per decision, the maximum of the power readings, powers of two unless
// other batches are given, default clock.
class BatchSizer final : public Controller {
 public:
  static constexpr double kAlpha = 0.8;

  // Contract: batches ascend and are not empty.
  explicit BatchSizer(std::vector<std::int64_t> batches, std::optional<Hertz> clock = {},
                      double alpha = kAlpha);

  std::string_view name() const override { return "batchsizer"; }
  Action first(Watts cap) override;
  Action step(const Feedback& feedback) override;

 private:
  Point point() const { return {batches_[search_.index()], clock_}; }
  std::vector<std::int64_t> batches_;
  std::optional<Hertz> clock_;
  PseudoBinarySearch search_;
};

// The baseline of the paper: the same search over clocks at one fixed batch.
class Dvfs final : public Controller {
 public:
  static constexpr std::int64_t kBatch = 16;
  // The element nearest to kBatch. Contract: `batches` is not empty.
  static std::int64_t batch_of(const std::vector<std::int64_t>& batches);

  // Contract: clocks ascend and are not empty.
  Dvfs(std::int64_t batch, std::vector<Hertz> clocks, double alpha = BatchSizer::kAlpha);

  std::string_view name() const override { return "dvfs"; }
  Action first(Watts cap) override;
  Action step(const Feedback& feedback) override;

 private:
  Point point() const;
  std::int64_t batch_;
  std::vector<Hertz> clocks_;
  PseudoBinarySearch search_;
};

// The elements that the paper uses: 1, 2, 4, ... 256. Returns all of `batches` if fewer than two remain.
std::vector<std::int64_t> powers_of_two(const std::vector<std::int64_t>& batches);

}  // namespace ergon::control
