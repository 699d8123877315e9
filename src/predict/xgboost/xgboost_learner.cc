#include "predict/xgboost/xgboost_learner.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <xgboost/c_api.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/statistics/quantile.h"

namespace ergon::predict {
namespace {

constexpr std::size_t kFewest = 8;
// From here on thresholds are looked for among the values' quantiles.
constexpr std::size_t kMany = 4000;

Error failure() { return Error{Errc::io, fmt::format("XGBoost: {}", XGBGetLastError())}; }

struct FreeMatrix {
  void operator()(void* matrix) const { XGDMatrixFree(matrix); }
};
struct FreeBooster {
  void operator()(void* booster) const { XGBoosterFree(booster); }
};
using Matrix = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

Result<Matrix> matrix_of(const Examples& examples, float middle) {
  DMatrixHandle handle = nullptr;
  if (XGDMatrixCreateFromMat(examples.features.data(), examples.rows(), examples.width, NAN, &handle) != 0)
    return failure();
  Matrix matrix(handle);
  std::vector<float> centred = examples.answers;
  for (float& answer : centred) answer -= middle;
  if (XGDMatrixSetFloatInfo(handle, "label", centred.data(), centred.size()) != 0 ||
      XGDMatrixSetFloatInfo(handle, "weight", examples.weights.data(), examples.weights.size()) != 0) {
    return failure();
  }
  return matrix;
}

std::vector<std::pair<std::string, std::string>> settings_of(const Recipe& recipe, std::size_t rows) {
  const bool forest = recipe.growth == Growth::forest;
  return {
      {"verbosity", "0"},
      {"nthread", "1"},
      {"tree_method", rows < kMany ? "exact" : "hist"},
      {"max_bin", "256"},
      {"base_score", "0"},
      {"seed", std::to_string(recipe.seed)},
      {"max_depth", std::to_string(recipe.depth)},
      {"eta", fmt::format("{}", forest ? 1.0 : recipe.step)},
      {"subsample", fmt::format("{}", recipe.rows)},
      {forest ? "colsample_bynode" : "colsample_bytree", fmt::format("{}", recipe.columns)},
      {"min_child_weight", fmt::format("{}", recipe.least_weight)},
      {"lambda", forest ? "0" : "1"},
      {"num_parallel_tree", std::to_string(forest ? recipe.trees : 1)},
  };
}

// XGBoost's nodes may stand in any order; ours have their two ways side by side, below their parent.
Result<std::vector<Forest::Node>> tree_of(const nlohmann::json& root) {
  std::vector<Forest::Node> tree(1);
  std::deque<std::pair<const nlohmann::json*, std::size_t>> waiting{{&root, 0}};
  while (!waiting.empty()) {
    const auto [from, place] = waiting.front();
    waiting.pop_front();
    if (from->contains("leaf")) {
      tree[place].value = (*from)["leaf"].get<float>();
      continue;
    }
    const std::string split = (*from)["split"].get<std::string>();
    tree[place].feature = static_cast<std::uint16_t>(std::stoi(split.substr(1)));
    tree[place].value = (*from)["split_condition"].get<float>();
    tree[place].next = static_cast<std::uint32_t>(tree.size());
    const int yes = (*from)["yes"].get<int>();
    const nlohmann::json* children[2] = {nullptr, nullptr};
    for (const auto& child : (*from)["children"])
      children[child["nodeid"].get<int>() == yes ? 0 : 1] = &child;
    for (const nlohmann::json* child : children) {
      if (child == nullptr) return fail(Errc::io, "XGBoost gave a tree with one way");
      waiting.emplace_back(child, tree.size());
      tree.emplace_back();
    }
  }
  return tree;
}

Result<Forest> forest_of(BoosterHandle booster, float middle) {
  bst_ulong count = 0;
  const char** dumps = nullptr;
  if (XGBoosterDumpModelEx(booster, "", 0, "json", &count, &dumps) != 0) return failure();
  Forest forest;
  for (bst_ulong i = 0; i < count; ++i) {
    auto tree = tree_of(nlohmann::json::parse(dumps[i]));
    if (!tree) return tree.error();
    for (Forest::Node& node : *tree) {
      if (node.leaf() && i == 0) node.value += middle;
    }
    if (const auto added = forest.add(*tree); !added) return added.error();
  }
  return forest;
}

}  // namespace

std::string_view XgboostLearner::name() const { return "XGBoost"; }

Result<Forest> XgboostLearner::grow(const Examples& examples, const Recipe& recipe) const {
  if (examples.rows() < kFewest)
    return fail(Errc::invalid_input, "{} rows are too few to learn from (at least {})", examples.rows(),
                kFewest);
  for (const auto* numbers : {&examples.answers, &examples.features, &examples.weights}) {
    if (!std::all_of(numbers->begin(), numbers->end(), [](float number) { return std::isfinite(number); }))
      return fail(Errc::invalid_input, "a row to learn from has no number");
  }
  const std::vector<double> answers(examples.answers.begin(), examples.answers.end());
  const auto middle = static_cast<float>(*statistics::median(answers));
  const auto matrix = matrix_of(examples, middle);
  if (!matrix) return matrix.error();
  DMatrixHandle data = matrix->get();
  BoosterHandle handle = nullptr;
  if (XGBoosterCreate(&data, 1, &handle) != 0) return failure();
  const Booster booster(handle);
  for (const auto& [name, value] : settings_of(recipe, examples.rows())) {
    if (XGBoosterSetParam(handle, name.c_str(), value.c_str()) != 0) return failure();
  }
  const int rounds = recipe.growth == Growth::forest ? 1 : recipe.trees;
  for (int i = 0; i < rounds; ++i) {
    if (XGBoosterUpdateOneIter(handle, i, data) != 0) return failure();
  }
  return forest_of(handle, middle);
}

}  // namespace ergon::predict
