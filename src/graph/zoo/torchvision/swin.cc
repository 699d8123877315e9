// Swin transformers (Liu et al. 2021, 2022). Attention is computed within windows; every second block shifts
// the windows. Version 2 uses post-norm, cosine attention, and a small MLP for the relative position bias.

#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct SwinBlock {
  std::int64_t heads;
  bool shifted;
  bool second_version;
  std::string name;
};

std::int64_t rounded_up(std::int64_t size, std::int64_t step) { return (size + step - 1) / step * step; }

// Cyclic shift (roll) of the image, one axis after the other: slice in two and concatenate in reverse.
Tensor roll(Builder& b, Tensor x, std::int64_t shift) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) {
    const Shape whole = b.shape(x);
    const std::int64_t size = whole[axis].size;
    Shape front = whole;
    Shape back = whole;
    front[axis] = {shift};
    back[axis] = {size - shift};
    const auto a = static_cast<std::int64_t>(axis);
    const Tensor rest = b.put(Slice{back, {a}, {shift}, {size}, {1}}, {x});
    const Tensor start = b.put(Slice{front, {a}, {0}, {shift}, {1}}, {x});
    x = b.put(Concat{a}, {rest, start});
  }
  return x;
}

// Relative position bias between any two tokens of a window.
Tensor position_bias(Builder& b, std::int64_t window, const SwinBlock& block) {
  const std::int64_t tokens = window * window;
  const std::int64_t offsets = (2 * window - 1) * (2 * window - 1);
  Tensor table = 0;
  if (block.second_version) {
    // Version 2: two dense layers of a constant table of offsets.
    table = b.put(Parameter{Shape{{offsets}, {2}}, Shape{{offsets}, {2}}}, {});
    if (!b.failed()) {
      b.network().nodes[b.network().values[table].producer].weights[0].role = WeightRole::statistic;
    }
    table = b.put(Elementwise{Function::relu}, {b.put(Dense{512, true}, {table})});
    table = b.put(Dense{block.heads, false}, {table});
    table = b.put(Gather{Shape{{tokens * tokens}, {block.heads}}}, {table});
    table = b.put(Elementwise{Function::sigmoid}, {table});
    table = b.put(Arithmetic{Combine::multiply, std::nullopt, true}, {table});
  } else {
    table = b.put(Parameter{Shape{{offsets}, {block.heads}}, Shape{{offsets}, {block.heads}}}, {});
    table = b.put(Gather{Shape{{tokens * tokens}, {block.heads}}}, {table});
  }
  table = b.put(Reshape{Shape{{tokens}, {tokens}, {block.heads}}}, {table});
  table = b.put(Transpose{{2, 0, 1}}, {table});
  return b.put(Reshape{Shape{{1}, {block.heads}, {tokens}, {tokens}}}, {table});
}

// Normalizes queries or keys to unit length.
Tensor unit_length(Builder& b, Tensor x) {
  const Tensor length = b.put(Reduce{ReduceKind::norm, {-1}, true}, {x});
  return b.put(Arithmetic{Combine::divide}, {x, length});
}

// (batch, height, width, channels) to windows (windows * batch, tokens, channels), and back.
Tensor into_windows(Builder& b, Tensor x, std::int64_t window) {
  const Shape s = b.shape(x);
  const std::int64_t rows = s[1].size / window;
  const std::int64_t columns = s[2].size / window;
  x = b.put(Reshape{Shape{s[0], {rows}, {window}, {columns}, {window}, s[3]}}, {x});
  x = b.put(Transpose{{0, 1, 3, 2, 4, 5}}, {x});
  return b.put(Reshape{Shape{{rows * columns, true}, {window * window}, s[3]}}, {x});
}

Tensor out_of_windows(Builder& b, Tensor x, const Shape& image, std::int64_t window) {
  const std::int64_t rows = image[1].size / window;
  const std::int64_t columns = image[2].size / window;
  x = b.put(Reshape{Shape{image[0], {rows}, {columns}, {window}, {window}, image[3]}}, {x});
  x = b.put(Transpose{{0, 1, 3, 2, 4, 5}}, {x});
  return b.put(Reshape{image}, {x});
}

Tensor window_attention(Layers& t, Tensor x, std::int64_t window, const SwinBlock& block) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(block.name + ".attn", block.second_version ? "ShiftedWindowAttentionV2" : "ShiftedWindowAttention");
  const Tensor bias = position_bias(b, window, block);
  const Shape image = b.shape(x);
  const std::int64_t width = image[3].size;
  const std::int64_t high = rounded_up(image[1].size, window) - image[1].size;
  const std::int64_t wide = rounded_up(image[2].size, window) - image[2].size;
  if (high > 0 || wide > 0) x = b.put(Pad{{0, 0, 0, 0}, {0, high, wide, 0}}, {x});
  const Shape padded = b.shape(x);
  // A window that covers the whole image is not shifted.
  const bool shifted = block.shifted && window < padded[1].size;
  if (shifted) x = roll(b, x, window / 2);
  x = into_windows(b, x, window);
  const auto parts = b.put_split(b.put(Dense{3 * width, true}, {x}), 2, {width, width, width});
  Tensor q = split_heads(b, parts[0], block.heads);
  Tensor k = split_heads(b, parts[1], block.heads);
  const Tensor v = split_heads(b, parts[2], block.heads);
  if (block.second_version) {
    q = unit_length(b, q);
    k = unit_length(b, k);
    // A learned temperature per head replaces the fixed scale.
    q = b.put(Arithmetic{Combine::multiply, Shape{{block.heads}, {1}, {1}}}, {q});
  }
  x = attend(b, q, k, v, {!block.second_version, shifted, bias});
  x = b.put(Dense{width, true}, {merge_heads(b, x)});
  x = out_of_windows(b, x, padded, window);
  if (shifted) x = roll(b, x, padded[1].size - window / 2);
  if (high > 0 || wide > 0) {
    x = b.put(Slice{image, {1, 2}, {0, 0}, {image[1].size, image[2].size}, {1, 1}}, {x});
  }
  return x;
}

Tensor mlp(Layers& t, Tensor x, const std::string& name) {
  const Shape& shape = t.build().shape(x);
  const std::int64_t width = shape[shape.rank() - 1].size;
  x = t.act(t.linear(x, 4 * width, name + ".0"), Function::gelu, name + ".1");
  return t.dropout(t.linear(t.dropout(x, name + ".2"), width, name + ".3"), name + ".4");
}

Tensor swin_block(Layers& t, Tensor x, std::int64_t window, const SwinBlock& block) {
  const auto residual = [&](Tensor before, Tensor y) {
    return t.add(before, t.stochastic_depth(y, block.name + ".stochastic_depth"));
  };
  if (block.second_version) {
    x = residual(x, t.layer_norm(window_attention(t, x, window, block), block.name + ".norm1"));
    return residual(x, t.layer_norm(mlp(t, x, block.name + ".mlp"), block.name + ".norm2"));
  }
  x = residual(x, window_attention(t, t.layer_norm(x, block.name + ".norm1"), window, block));
  return residual(x, mlp(t, t.layer_norm(x, block.name + ".norm2"), block.name + ".mlp"));
}

// Patch merging: 2 x 2 tokens become one token of twice the width.
Tensor merge_patches(Layers& t, Tensor x, bool second_version, const std::string& name) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(name + ".merge", "patch_merging");
  const Shape s = b.shape(x);
  const std::int64_t high = s[1].size % 2;
  const std::int64_t wide = s[2].size % 2;
  if (high > 0 || wide > 0) x = b.put(Pad{{0, 0, 0, 0}, {0, high, wide, 0}}, {x});
  const std::int64_t height = (s[1].size + high) / 2;
  const std::int64_t width = (s[2].size + wide) / 2;
  std::vector<Tensor> corners;
  for (const auto& [row, column] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
    const Slice corner{
        Shape{s[0], {height}, {width}, s[3]}, {1, 2}, {row, column}, {2 * height, 2 * width}, {2, 2}};
    corners.push_back(b.put(corner, {x}));
  }
  x = b.put(Concat{3}, corners);
  const std::int64_t out = 2 * s[3].size;
  if (second_version) return t.layer_norm(t.linear(x, out, name + ".reduction", false), name + ".norm");
  return t.linear(t.layer_norm(x, name + ".norm"), out, name + ".reduction", false);
}

}  // namespace

Result<Network> swin(const SwinPlan& plan, const InputSize& input) {
  Layers t(plan.name);
  Tensor x = t.conv(t.image(input.size), {plan.width, 4, 4, 0, 1, true}, "features.0.0");
  x = t.layer_norm(t.permute(x, {0, 2, 3, 1}), "features.0.2");
  for (std::size_t stage = 0; stage < plan.depths.size(); ++stage) {
    const std::size_t index = 2 * stage + 1;
    if (stage > 0) x = merge_patches(t, x, plan.second_version, fmt::format("features.{}", index - 1));
    for (int i = 0; i < plan.depths[stage]; ++i) {
      const SwinBlock block{plan.heads[stage], i % 2 == 1, plan.second_version,
                            fmt::format("features.{}.{}", index, i)};
      x = swin_block(t, x, plan.window, block);
    }
  }
  x = t.permute(t.layer_norm(x, "norm"), {0, 3, 1, 2});
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  return t.finish(t.linear(x, kClasses, "head"));
}

}  // namespace ergon::graph::zoo::torchvision
