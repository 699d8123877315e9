#pragma once

#include <map>

#include "control/controller.h"
#include "control/controllers/cap_margin.h"

namespace ergon::control {

// BatchSizer without its flaws: uses every batch of the set and does not oscillate. Sets the batch only.
//
// Stores mean power and throughput of every batch that was run. Power rises with the batch, so a secant in
// logarithms interpolates between two batches; the next candidate is the largest batch whose predicted power
// is within the cap. A batch that exceeded the cap is left at once and not tried again under that cap. The
// search stops where a larger batch no longer raises throughput and returns to the smallest batch of equal
// throughput.
class BatchSizerPlus final : public Controller {
 public:
  // Contract: batches ascend and are not empty.
  explicit BatchSizerPlus(std::vector<std::int64_t> batches, std::optional<Hertz> clock = {},
                          std::string_view name = "batchsizer+");

  std::string_view name() const override { return name_; }
  Action first(Watts cap) override;
  Action step(const Feedback& feedback) override;
  DecisionInterval decision_interval() const override { return {10, 3}; }

 private:
  struct BatchStatistics {
    Watts power;            // mean
    double throughput = 0;  // samples per second, mean
    int count = 0;          // decisions in the means
    // The batch exceeded a cap; it is excluded under caps up to this one.
    std::optional<Watts> excluded_cap;

    bool fits(Watts limit, Watts cap) const {
      return power <= limit && (!excluded_cap || *excluded_cap < cap);
    }
  };

  void add_sample(const Feedback& feedback);
  // The batch of highest throughput among those within the limit; empty if there is none.
  std::optional<std::int64_t> best(Watts limit, Watts cap) const;
  // The smallest batch within the limit with nearly the throughput of `best`.
  std::int64_t smallest_as_fast(std::int64_t best, Watts limit, Watts cap) const;
  std::optional<std::int64_t> next_candidate(std::int64_t from, Watts limit) const;
  std::int64_t largest_up_to(double batch) const;

  std::vector<std::int64_t> batches_;
  std::optional<Hertz> clock_;
  std::string_view name_;
  std::map<std::int64_t, BatchStatistics> measured_;
  CapMargin margin_;
};

}  // namespace ergon::control
