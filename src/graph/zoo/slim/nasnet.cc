// NASNet and PNASNet. Both have cells with five combinations of pairs of earlier results; the cell's output
// concatenates the results that no combination uses. They differ in the plans below.

#include <array>

#include <fmt/format.h>

#include "graph/zoo/slim/layers.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

enum class CellStep : std::uint8_t { separable3, separable5, separable7, max_pool, average_pool, none };

// One operand of a combination: the operation, and the result it is applied to (0: this cell's input, 1: the
// previous cell's input, then the combinations in order).
struct CellOperand {
  CellStep step;
  std::size_t of;
};

struct CellPlan {
  std::array<std::array<CellOperand, 2>, 5> combinations;
  std::array<bool, 7> used;  // results that are not part of the output
};

using enum CellStep;

constexpr CellPlan kNasNormal{{{{{{separable5, 0}, {separable3, 1}}},
                                {{{separable5, 1}, {separable3, 1}}},
                                {{{average_pool, 0}, {none, 1}}},
                                {{{average_pool, 1}, {average_pool, 1}}},
                                {{{separable3, 0}, {none, 0}}}}},
                              {true, false, false, false, false, false, false}};
constexpr CellPlan kNasReduction{{{{{{separable5, 0}, {separable7, 1}}},
                                   {{{max_pool, 0}, {separable7, 1}}},
                                   {{{average_pool, 0}, {separable5, 1}}},
                                   {{{none, 3}, {average_pool, 2}}},
                                   {{{separable3, 2}, {max_pool, 0}}}}},
                                 {true, true, true, false, false, false, false}};
constexpr CellPlan kPnas{{{{{{separable5, 1}, {max_pool, 1}}},
                           {{{separable7, 0}, {max_pool, 0}}},
                           {{{separable5, 0}, {separable3, 0}}},
                           {{{separable3, 4}, {max_pool, 0}}},
                           {{{separable3, 1}, {none, 0}}}}},
                         {true, true, false, false, false, false, false}};

class CellBuilder {
 public:
  CellBuilder(Layers& s, std::string scope, std::int64_t filters)
      : s_(s), scope_(std::move(scope)), filters_(filters) {}

  Tensor build(const CellPlan& plan, Tensor current, Tensor previous, std::int64_t stride) {
    const Tensor adjusted = adjust(current, previous);
    const std::string squeezed = scope_ + (relus_ == 0 ? "/Relu" : "/Relu_1");
    Tensor net = s_.relu(current, squeezed);
    net = s_.kernel(net, filters_, {1, 1}, 1, Padding::same, false, scope_ + "/1x1");
    net = s_.batch_norm(net, scope_ + "/beginning_bn", true);
    std::vector<Tensor> results{net, adjusted};
    for (std::size_t i = 0; i < plan.combinations.size(); ++i) {
      const std::string prefix = fmt::format("{}/comb_iter_{}", scope_, i);
      const auto& [left, right] = plan.combinations[i];
      const Tensor a = apply(left, results, stride, prefix + "/left");
      const Tensor b = apply(right, results, stride, prefix + "/right");
      results.push_back(s_.add(a, b, prefix + "/combine/add"));
    }
    std::vector<Tensor> unused;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!plan.used[i]) unused.push_back(results[i]);
    }
    return s_.concat(std::move(unused), scope_ + "/cell_output/concat");
  }

 private:
  // Projects the older input to this cell's size and channels.
  Tensor adjust(Tensor current, Tensor previous) {
    if (previous == current) return previous;
    if (s_.height(previous) != s_.height(current)) {
      ++relus_;
      return halve(s_.relu(previous, scope_ + "/Relu"));
    }
    if (s_.channels(previous) == filters_) return previous;
    ++relus_;
    Tensor x = s_.relu(previous, scope_ + "/Relu");
    x = s_.kernel(x, filters_, {1, 1}, 1, Padding::same, false, scope_ + "/prev_1x1");
    return s_.batch_norm(x, scope_ + "/prev_bn", true);
  }

  Tensor halve(Tensor x) {
    Tensor even = s_.average_pool(x, 1, 2, Padding::valid, scope_ + "/AvgPool");
    even = s_.kernel(even, filters_ / 2, {1, 1}, 1, Padding::same, false, scope_ + "/path1_conv");
    Tensor odd = s_.pad(x, 0, 1, scope_ + "/Pad");
    odd = s_.drop_first(odd, scope_ + "/strided_slice");
    odd = s_.average_pool(odd, 1, 2, Padding::valid, scope_ + "/AvgPool_1");
    odd = s_.kernel(odd, filters_ - filters_ / 2, {1, 1}, 1, Padding::same, false, scope_ + "/path2_conv");
    x = s_.concat({even, odd}, scope_ + "/concat");
    return s_.batch_norm(x, scope_ + "/final_path_bn", true);
  }

  Tensor apply(const CellOperand& operand, const std::vector<Tensor>& results, std::int64_t stride,
               const std::string& prefix) {
    const Tensor x = results[operand.of];
    const std::int64_t step = operand.of < 2 ? stride : 1;  // combinations are already reduced
    switch (operand.step) {
      case separable3:
        return separable(x, 3, step, prefix);
      case separable5:
        return separable(x, 5, step, prefix);
      case separable7:
        return separable(x, 7, step, prefix);
      case max_pool:
        return fit(s_.max_pool(x, 3, step, Padding::same, prefix + "/MaxPool"), prefix);
      case average_pool:
        return fit(s_.average_pool(x, 3, step, Padding::same, prefix + "/AvgPool"), prefix);
      case none:
        break;
    }
    if (step == 1 && s_.channels(x) == filters_) return x;
    const Tensor active = s_.relu(x, prefix + "/Relu");
    const Tensor y = s_.kernel(active, filters_, {1, 1}, step, Padding::same, false, prefix + "/1x1");
    return s_.batch_norm(y, prefix + "/bn_1", true);
  }

  // Projects to the cell's channels, because pooling does not change them.
  Tensor fit(Tensor x, const std::string& prefix) {
    if (s_.channels(x) == filters_) return x;
    x = s_.kernel(x, filters_, {1, 1}, 1, Padding::same, false, prefix + "/1x1");
    return s_.batch_norm(x, prefix + "/bn_1", true);
  }

  Tensor separable(Tensor x, std::int64_t size, std::int64_t stride, const std::string& prefix) {
    for (int i = 1; i <= 2; ++i) {
      const std::string scope = fmt::format("{}/separable_{}x{}_{}", prefix, size, size, i);
      x = s_.relu(x, prefix + (i == 1 ? "/Relu" : "/Relu_1"));
      x = s_.depthwise(x, 1, size, i == 1 ? stride : 1, scope + "/depthwise");
      x = s_.kernel(x, filters_, {1, 1}, 1, Padding::valid, false, scope + "/pointwise");
      x = s_.batch_norm(x, fmt::format("{}/bn_sep_{}x{}_{}", prefix, size, size, i), true);
    }
    return x;
  }

  Layers& s_;
  std::string scope_;
  std::int64_t filters_;
  int relus_ = 0;
};

Tensor head(Layers& s, Tensor x) {
  x = s.mean(s.relu(x, "final_layer/Relu"), false, "final_layer/Mean");
  return s.softmax(s.dense(x, kClasses, "final_layer/FC"), "final_layer/predictions");
}

// The stem: a convolution, then two reduction cells with a quarter and half of the filters.
std::vector<Tensor> stem(Layers& s, const CellPlan& plan, std::int64_t filters, std::int64_t size) {
  Tensor x = s.kernel(s.input(size), 32, {3, 3}, 2, Padding::valid, false, "conv0");
  x = s.batch_norm(x, "conv0_bn", true);
  std::vector<Tensor> outputs{x};
  outputs.push_back(CellBuilder(s, "cell_stem_0", filters / 4).build(plan, x, x, 2));
  outputs.push_back(CellBuilder(s, "cell_stem_1", filters / 2).build(plan, outputs[1], x, 2));
  return outputs;
}

}  // namespace

Result<Network> nasnet_mobile(const InputSize& input) {
  constexpr std::int64_t kFilters = 44;
  Layers s("nasnet_mobile");
  auto outputs = stem(s, kNasReduction, kFilters, input.size);
  std::int64_t filters = kFilters;
  for (int cell = 0; cell < 12; ++cell) {
    const auto before = [&] { return outputs[outputs.size() - 2]; };
    if (cell == 4 || cell == 8) {
      filters *= 2;
      CellBuilder reduction(s, fmt::format("reduction_cell_{}", cell / 4 - 1), filters);
      outputs.push_back(reduction.build(kNasReduction, outputs.back(), before(), 2));
    }
    CellBuilder normal(s, fmt::format("cell_{}", cell), filters);
    outputs.push_back(normal.build(kNasNormal, outputs.back(), before(), 1));
  }
  return s.finish(head(s, outputs.back()));
}

Result<Network> pnasnet_mobile(const InputSize& input) {
  constexpr std::int64_t kFilters = 54;
  Layers s("pnasnet_mobile");
  auto outputs = stem(s, kPnas, kFilters, input.size);
  std::int64_t filters = kFilters;
  for (int cell = 0; cell < 9; ++cell) {
    const bool shrinks = cell == 3 || cell == 6;
    if (shrinks) filters *= 2;
    CellBuilder builder(s, fmt::format("cell_{}", cell), filters);
    outputs.push_back(builder.build(kPnas, outputs.back(), outputs[outputs.size() - 2], shrinks ? 2 : 1));
  }
  return s.finish(head(s, outputs.back()));
}

}  // namespace ergon::graph::zoo::slim
