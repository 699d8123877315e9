#include "predict/xgboost/xgboost_learner.h"

namespace ergon::predict {

std::string_view XgboostLearner::name() const { return "none"; }

Result<Forest> XgboostLearner::grow(const Examples&, const Recipe&) const {
  return fail(Errc::unsupported, "this build of Ergon has no XGBoost, and cannot learn");
}

}  // namespace ergon::predict
