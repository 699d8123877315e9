#pragma once

#include "predict/learner.h"

namespace ergon::predict {

// Trees grown by XGBoost, on one thread, so that they come out the same everywhere.
class XgboostLearner : public Learner {
 public:
  Result<Forest> grow(const Examples& examples, const Recipe& recipe) const override;
  std::string_view name() const override;
};

}  // namespace ergon::predict
