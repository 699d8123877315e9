#include "predict/learn/learner.h"

#include "base/contract.h"

namespace ergon::predict {

void Examples::add(std::span<const float> row, double target, double weight) {
  if (width == 0) width = row.size();
  ERGON_EXPECTS(row.size() == width);
  features.insert(features.end(), row.begin(), row.end());
  targets.push_back(static_cast<float>(target));
  weights.push_back(static_cast<float>(weight));
}

std::string_view name_of(Ensemble ensemble) { return ensemble == Ensemble::boosted ? "boosted" : "forest"; }

TreeParameters TreeParameters::for_rows(std::size_t rows) {
  constexpr std::size_t kMany = 4000;
  TreeParameters parameters;
  if (rows >= kMany) {
    parameters.depth = 7;
    parameters.learning_rate = 0.1;
    parameters.trees = 200;
  }
  return parameters;
}

TreeParameters TreeParameters::forest_of(int trees) {
  return {.ensemble = Ensemble::forest,
          .trees = trees,
          .depth = 14,
          .learning_rate = 1,
          .row_share = 0.63,
          .feature_share = 0.33,
          .min_leaf_weight = 1};
}

}  // namespace ergon::predict
