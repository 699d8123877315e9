#include "predict/xgboost/xgboost_learner.h"

namespace ergon::predict {

std::string_view XgboostLearner::name() const { return "none"; }

Result<Forest> XgboostLearner::grow(const Examples&, const TreeParameters&) const {
  return fail(Errc::unsupported, "this build has no XGBoost; `ergon fit` needs it");
}

}  // namespace ergon::predict
