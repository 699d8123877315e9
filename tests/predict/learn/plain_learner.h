#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "predict/learn/learner.h"

namespace ergon::predict::test {

// A reference learner: one regression tree by exhaustive search of the split with the smallest squared error.
class PlainLearner : public Learner {
 public:
  explicit PlainLearner(int depth = 8) : depth_(depth) {}

  Result<Forest> grow(const Examples& examples, const TreeParameters&) const override {
    if (examples.rows() == 0) return fail(Errc::invalid_input, "no rows");
    std::vector<Forest::Node> tree(1);
    std::vector<Rows> waiting(1);
    waiting[0].resize(examples.rows());
    std::iota(waiting[0].begin(), waiting[0].end(), 0);
    std::vector<int> depths{0};
    for (std::size_t i = 0; i < tree.size(); ++i) {
      tree[i].value = static_cast<float>(mean(examples, waiting[i]));
      const Cut cut = depths[i] < depth_ ? best_cut(examples, waiting[i]) : Cut{};
      if (cut.gain < 1e-9) continue;
      tree[i].value = cut.threshold;
      tree[i].feature = static_cast<std::uint16_t>(cut.feature);
      tree[i].next = static_cast<std::uint32_t>(tree.size());
      Rows below, otherwise;
      for (const std::size_t row : waiting[i])
        (value(examples, row, cut.feature) < cut.threshold ? below : otherwise).push_back(row);
      for (Rows* rows : {&below, &otherwise}) {
        tree.emplace_back();
        waiting.push_back(std::move(*rows));
        depths.push_back(depths[i] + 1);
      }
    }
    Forest forest;
    if (const auto added = forest.add(tree); !added) return added.error();
    return forest;
  }
  std::string_view name() const override { return "plain"; }

 private:
  using Rows = std::vector<std::size_t>;
  struct Cut {
    double gain = 0;
    std::size_t feature = 0;
    float threshold = 0;
  };
  struct Sum {
    double weight = 0, value = 0;
    double gain() const { return weight > 0 ? value * value / weight : 0; }
  };

  static float value(const Examples& examples, std::size_t row, std::size_t feature) {
    return examples.features[row * examples.width + feature];
  }
  static void put(Sum& sum, const Examples& examples, std::size_t row) {
    sum.weight += static_cast<double>(examples.weights[row]);
    sum.value += static_cast<double>(examples.weights[row]) * static_cast<double>(examples.targets[row]);
  }
  static double mean(const Examples& examples, const Rows& rows) {
    Sum sum;
    for (const std::size_t row : rows) put(sum, examples, row);
    return sum.weight > 0 ? sum.value / sum.weight : 0;
  }
  static Cut best_cut(const Examples& examples, const Rows& rows) {
    Sum all;
    for (const std::size_t row : rows) put(all, examples, row);
    Cut best;
    Rows sorted = rows;
    for (std::size_t feature = 0; feature < examples.width; ++feature) {
      std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
        return value(examples, a, feature) < value(examples, b, feature);
      });
      Sum below;
      for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
        put(below, examples, sorted[i]);
        const float here = value(examples, sorted[i], feature),
                    next = value(examples, sorted[i + 1], feature);
        if (!(here < next)) continue;
        const Sum above{all.weight - below.weight, all.value - below.value};
        const double gain = below.gain() + above.gain() - all.gain();
        if (gain > best.gain + 1e-12) best = {gain, feature, next};
      }
    }
    return best;
  }

  int depth_;
};

}  // namespace ergon::predict::test
