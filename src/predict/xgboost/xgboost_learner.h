#pragma once

#include "predict/learn/learner.h"

namespace ergon::predict {

// Trees fitted by XGBoost, on one thread so that results are reproducible.
class XgboostLearner : public Learner {
 public:
  Result<Forest> grow(const Examples& examples, const TreeParameters& parameters) const override;
  std::string_view name() const override;
};

}  // namespace ergon::predict
