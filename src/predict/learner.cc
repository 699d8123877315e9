#include "predict/learner.h"

#include "base/contract.h"

namespace ergon::predict {

void Examples::add(std::span<const float> row, double answer, double weight) {
  if (width == 0) width = row.size();
  ERGON_EXPECTS(row.size() == width);
  features.insert(features.end(), row.begin(), row.end());
  answers.push_back(static_cast<float>(answer));
  weights.push_back(static_cast<float>(weight));
}

std::string_view name_of(Growth growth) { return growth == Growth::boosted ? "boosted" : "forest"; }

Recipe Recipe::for_rows(std::size_t rows) {
  constexpr std::size_t kMany = 4000;
  Recipe recipe;
  if (rows >= kMany) {
    recipe.depth = 7;
    recipe.step = 0.1;
    recipe.trees = 200;
  }
  return recipe;
}

Recipe Recipe::forest_of(int trees) {
  return {.growth = Growth::forest,
          .trees = trees,
          .depth = 14,
          .step = 1,
          .rows = 0.63,
          .columns = 0.33,
          .least_weight = 1};
}

}  // namespace ergon::predict
