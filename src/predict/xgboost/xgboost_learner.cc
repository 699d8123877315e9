#include "predict/xgboost/xgboost_learner.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <xgboost/c_api.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/statistics/quantile.h"

namespace ergon::predict {
namespace {

constexpr std::size_t kMinRows = 8;
// From this number of rows on, histogram-based splits are used.
constexpr std::size_t kHistogramRows = 4000;

Error failure() { return Error{Errc::io, fmt::format("XGBoost: {}", XGBGetLastError())}; }

struct FreeMatrix {
  void operator()(void* matrix) const { XGDMatrixFree(matrix); }
};
struct FreeBooster {
  void operator()(void* booster) const { XGBoosterFree(booster); }
};
using Matrix = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

Result<Matrix> matrix_of(const Examples& examples, float median) {
  DMatrixHandle handle = nullptr;
  if (XGDMatrixCreateFromMat(examples.features.data(), examples.rows(), examples.width, NAN, &handle) != 0)
    return failure();
  Matrix matrix(handle);
  std::vector<float> centered = examples.targets;
  for (float& target : centered) target -= median;
  if (XGDMatrixSetFloatInfo(handle, "label", centered.data(), centered.size()) != 0 ||
      XGDMatrixSetFloatInfo(handle, "weight", examples.weights.data(), examples.weights.size()) != 0) {
    return failure();
  }
  return matrix;
}

std::vector<std::pair<std::string, std::string>> settings_of(const TreeParameters& parameters,
                                                             std::size_t rows) {
  const bool forest = parameters.ensemble == Ensemble::forest;
  return {
      {"verbosity", "0"},
      {"nthread", "1"},
      {"tree_method", rows < kHistogramRows ? "exact" : "hist"},
      {"max_bin", "256"},
      {"base_score", "0"},
      {"seed", std::to_string(parameters.seed)},
      {"max_depth", std::to_string(parameters.depth)},
      {"eta", fmt::format("{}", forest ? 1.0 : parameters.learning_rate)},
      {"subsample", fmt::format("{}", parameters.row_share)},
      {forest ? "colsample_bynode" : "colsample_bytree", fmt::format("{}", parameters.feature_share)},
      {"min_child_weight", fmt::format("{}", parameters.min_leaf_weight)},
      {"lambda", forest ? "0" : "1"},
      {"num_parallel_tree", std::to_string(forest ? parameters.trees : 1)},
  };
}

// XGBoost's nodes are in any order; ours have both children next to each other, after their parent.
Result<std::vector<Forest::Node>> tree_of(const nlohmann::json& root) {
  std::vector<Forest::Node> tree(1);
  std::deque<std::pair<const nlohmann::json*, std::size_t>> queue{{&root, 0}};
  while (!queue.empty()) {
    const auto [from, index] = queue.front();
    queue.pop_front();
    if (from->contains("leaf")) {
      tree[index].value = (*from)["leaf"].get<float>();
      continue;
    }
    const std::string split = (*from)["split"].get<std::string>();
    tree[index].feature = static_cast<std::uint16_t>(std::stoi(split.substr(1)));
    tree[index].value = (*from)["split_condition"].get<float>();
    tree[index].next = static_cast<std::uint32_t>(tree.size());
    const int yes = (*from)["yes"].get<int>();
    const nlohmann::json* children[2] = {nullptr, nullptr};
    for (const auto& child : (*from)["children"])
      children[child["nodeid"].get<int>() == yes ? 0 : 1] = &child;
    for (const nlohmann::json* child : children) {
      if (child == nullptr) return fail(Errc::io, "XGBoost returned a node with one child");
      queue.emplace_back(child, tree.size());
      tree.emplace_back();
    }
  }
  return tree;
}

Result<Forest> forest_of(BoosterHandle booster, float median) {
  bst_ulong count = 0;
  const char** dumps = nullptr;
  if (XGBoosterDumpModelEx(booster, "", 0, "json", &count, &dumps) != 0) return failure();
  Forest forest;
  for (bst_ulong i = 0; i < count; ++i) {
    const auto dump = parse_json<nlohmann::json>(dumps[i], "XGBoost", {.depth = InputLimits::kMaxDepth});
    if (!dump) return dump.error();
    auto tree = tree_of(*dump);
    if (!tree) return tree.error();
    for (Forest::Node& node : *tree) {
      if (node.leaf() && i == 0) node.value += median;
    }
    if (const auto added = forest.add(*tree); !added) return added.error();
  }
  return forest;
}

}  // namespace

std::string_view XgboostLearner::name() const { return "XGBoost"; }

Result<Forest> XgboostLearner::grow(const Examples& examples, const TreeParameters& parameters) const {
  if (examples.rows() < kMinRows)
    return fail(Errc::invalid_input, "{} rows are too few to fit; at least {} are needed", examples.rows(),
                kMinRows);
  for (const auto* numbers : {&examples.targets, &examples.features, &examples.weights}) {
    if (!std::all_of(numbers->begin(), numbers->end(), [](float number) { return std::isfinite(number); }))
      return fail(Errc::invalid_input, "a training row has a value that is not finite");
  }
  const std::vector<double> targets(examples.targets.begin(), examples.targets.end());
  const auto median = static_cast<float>(*statistics::median(targets));
  const auto matrix = matrix_of(examples, median);
  if (!matrix) return matrix.error();
  DMatrixHandle data = matrix->get();
  BoosterHandle handle = nullptr;
  if (XGBoosterCreate(&data, 1, &handle) != 0) return failure();
  const Booster booster(handle);
  for (const auto& [name, value] : settings_of(parameters, examples.rows())) {
    if (XGBoosterSetParam(handle, name.c_str(), value.c_str()) != 0) return failure();
  }
  const int rounds = parameters.ensemble == Ensemble::forest ? 1 : parameters.trees;
  for (int i = 0; i < rounds; ++i) {
    if (XGBoosterUpdateOneIter(handle, i, data) != 0) return failure();
  }
  return forest_of(handle, median);
}

}  // namespace ergon::predict
