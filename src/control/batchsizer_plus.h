#pragma once

#include <map>

#include "control/controller.h"
#include "control/spread.h"

namespace ergon::control {

// Batch size alone, without what BatchSizer leaves open: any batch of the set, no going to and fro.
//
// It remembers what every batch drew and brought. Power rises with the batch, so what is between two of them
// is known roughly, and the next guess is the largest batch that should just stay within the cap (a secant in
// logarithms). What was over the cap is left at once and never tried again under that cap. Where more batch
// no longer brings more throughput it stops, and goes back to the smallest that brings as much.
class BatchSizerPlus final : public Controller {
 public:
  // Contract: batches ascend, and there is at least one.
  explicit BatchSizerPlus(std::vector<std::int64_t> batches, std::optional<Hertz> clock = {},
                          std::string_view name = "batchsizer+");

  std::string_view name() const override { return name_; }
  Action first(Watts cap) override;
  Action step(const Reading& reading) override;
  Patience patience() const override { return {10, 3}; }

 private:
  struct Seen {
    double power = 0;  // watts, mean
    double throughput = 0;
    int times = 0;
    double barred = 0;  // under caps up to this: it was over one
  };
  using Memory = std::map<std::int64_t, Seen>;

  void remember(const Reading& reading);
  // Of those that stay within the limit, the one of highest throughput; nothing if none does.
  std::optional<std::int64_t> best(double limit, double cap) const;
  // As best(), but the smallest that brings nearly as much.
  std::int64_t thrifty(std::int64_t best, double limit, double cap) const;
  std::optional<std::int64_t> guess(std::int64_t from, double limit) const;
  std::int64_t at_most(double batch) const;

  std::vector<std::int64_t> batches_;
  std::optional<Hertz> clock_;
  std::string_view name_;
  Memory seen_;
  Spread spread_;
};

}  // namespace ergon::control
