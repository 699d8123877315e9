#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "predict/learn/forest.h"

namespace ergon::predict {

// Training examples: rows of features with targets.
struct Examples {
  std::size_t width = 0;        // features per row
  std::vector<float> features;  // row after row
  std::vector<float> targets;
  std::vector<float> weights;

  std::size_t rows() const { return targets.size(); }
  void add(std::span<const float> row, double target, double weight = 1);
};

// Gradient boosting, or a random forest.
enum class Ensemble : std::uint8_t { boosted, forest };
inline constexpr Ensemble kEnsembles[] = {Ensemble::boosted, Ensemble::forest};
std::string_view name_of(Ensemble ensemble);

struct TreeParameters {
  Ensemble ensemble = Ensemble::boosted;
  int trees = 250;
  int depth = 6;
  double learning_rate = 0.06;
  double row_share = 0.8;      // rows per tree
  double feature_share = 0.4;  // features per tree (boosted) or per split (forest)
  double min_leaf_weight = 2;  // sum of weights in a leaf
  std::uint64_t seed = 1;

  static TreeParameters for_rows(std::size_t rows);
  static TreeParameters forest_of(int trees);
};

// Fits regression trees. The median of the targets is subtracted first and added to the leaves of the first
// tree, so that the sum over a forest is the prediction.
class Learner {
 public:
  virtual ~Learner() = default;
  // Deterministic: equal examples and parameters give equal forests. Errors: too few examples; values that
  // are not finite.
  virtual Result<Forest> grow(const Examples& examples, const TreeParameters& parameters) const = 0;
  virtual std::string_view name() const = 0;
};

}  // namespace ergon::predict
