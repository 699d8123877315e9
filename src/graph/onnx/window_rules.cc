// Convolutions and poolings.

#include "graph/cost.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

Result<Extent> extent(const NodeCall& call, std::string_view name, std::size_t rank, std::int64_t otherwise) {
  const auto given = call.integers(name);
  if (!given || given->empty()) return Extent::same(rank, otherwise);
  if (given->size() != rank) {
    return fail(Errc::invalid_input, "{} has {} numbers; expected {}", name, given->size(), rank);
  }
  return Extent(*given);
}

// Kernel, stride, dilation and padding, explicit or from auto_pad.
Result<Window> window_of(const NodeCall& call, const Shape& input, std::optional<Extent> kernel) {
  if (input.rank() < 3 || input.rank() > 2 + Extent::kMaxRank) {
    return fail(Errc::unsupported, "{} of {} is not supported", call.type(), to_text(input));
  }
  const std::size_t rank = input.rank() - 2;
  if (kernel && kernel->rank() != rank) {
    return fail(Errc::invalid_input, "a kernel of {} does not match the rank of {}",
                sizes_text(kernel->sizes()), to_text(input));
  }
  Window window;
  if (!kernel || call.attribute("kernel_shape") != nullptr) {
    const auto given = call.integers("kernel_shape");
    if (!given || given->size() != rank)
      return fail(Errc::invalid_input, "kernel_shape does not match the rank of {}", to_text(input));
    if (kernel && *kernel != Extent(*given)) {
      return fail(Errc::invalid_input, "kernel_shape is {}, the weights have {}", sizes_text(*given),
                  sizes_text(kernel->sizes()));
    }
    kernel = Extent(*given);
  }
  window.kernel = *kernel;
  const auto stride = extent(call, "strides", rank, 1);
  if (!stride) return stride.error();
  const auto dilation = extent(call, "dilations", rank, 1);
  if (!dilation) return dilation.error();
  window.stride = *stride;
  window.dilation = *dilation;
  window.pad_begin = window.pad_end = Extent::same(rank, 0);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (window.kernel[axis] < 1 || window.stride[axis] < 1 || window.dilation[axis] < 1 ||
        window.kernel[axis] > kMaxExtent || window.stride[axis] > kMaxExtent ||
        window.dilation[axis] > kMaxExtent) {
      return fail(Errc::invalid_input, "kernel {}, stride {} and dilation {} must be between 1 and 2^31",
                  sizes_text(window.kernel.sizes()), sizes_text(window.stride.sizes()),
                  sizes_text(window.dilation.sizes()));
    }
  }

  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    std::vector<std::int64_t> sizes;
    for (std::size_t axis = 0; axis < rank; ++axis) sizes.push_back(input[axis + 2].size);
    pad_to_same(window, sizes);
    if (automatic == "SAME_LOWER") std::swap(window.pad_begin, window.pad_end);
    return window;
  }
  if (automatic == "VALID") return window;
  if (automatic != "NOTSET" && !automatic.empty()) {
    return fail(Errc::invalid_input, "unknown auto_pad \"{}\"", automatic);
  }
  const auto pads = call.integers("pads");
  if (pads && !pads->empty()) {
    if (pads->size() != 2 * rank)
      return fail(Errc::invalid_input, "pads has {} numbers; expected {}", pads->size(), 2 * rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      window.pad_begin[axis] = (*pads)[axis];
      window.pad_end[axis] = (*pads)[axis + rank];
    }
  }
  return window;
}

struct ConvInputs {
  std::size_t weight = 1;
  std::size_t bias = 2;
  std::vector<ElementType> types;
};

Result<Extent> kernel_of(const Shape& weight) {
  if (weight.rank() < 3 || weight.rank() > 2 + Extent::kMaxRank || weight.batched()) {
    return fail(Errc::invalid_input, "invalid weight shape {}", to_text(weight));
  }
  std::vector<std::int64_t> sizes;
  for (std::size_t axis = 2; axis < weight.rank(); ++axis) sizes.push_back(weight[axis].size);
  return Extent(sizes);
}

bool has_bias(const NodeCall& call, std::size_t i) { return call.has(i) && !call.in(i).all_zeros; }

Result<> check_bias(const NodeCall& call, std::size_t i, std::int64_t channels) {
  if (!has_bias(call, i)) return {};
  const auto bias = call.shape(i);
  if (!bias) return bias.error();
  if (bias->rank() == 1 && (*bias)[0] == Dim{channels}) return {};
  return fail(Errc::invalid_input, "a bias of {} does not match {} output channels", to_text(*bias),
              channels);
}

Result<Lowered> convolution(const NodeCall& call, const ConvInputs& at) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto weight = call.shape(at.weight);
  if (!weight) return weight.error();
  const auto kernel = kernel_of(*weight);
  if (!kernel) return kernel.error();
  const auto window = window_of(call, *input, *kernel);
  if (!window) return window.error();
  const std::int64_t groups = call.integer("group", 1);
  if (weight->rank() != input->rank() || groups < 1 || (*input)[1].batched ||
      (*input)[1].size != (Count((*weight)[1].size) * groups).value().value_or(-1)) {
    return fail(Errc::invalid_input, "weights of {} in {} group(s) do not match an input of {}",
                to_text(*weight), groups, to_text(*input));
  }
  if (const auto fits = check_bias(call, at.bias, (*weight)[0].size); !fits) return fits.error();
  Convolution op{*window, (*weight)[0].size, groups, has_bias(call, at.bias)};
  Lowered lowered{op, {0}, {{at.weight, WeightRole::kernel}}, at.types};
  if (op.bias) lowered.weights.push_back({at.bias, WeightRole::bias});
  return lowered;
}

Result<Lowered> conv(const NodeCall& call) { return convolution(call, {}); }

Result<Lowered> conv_integer(const NodeCall& call) {
  return convolution(call, {1, 100, {ElementType::int32}});
}

// x, scale, zero point, w, scale, zero point, scale, zero point, bias
Result<Lowered> conv_quantized(const NodeCall& call) { return convolution(call, {3, 8, {}}); }

// x, w, offsets, bias
Result<Lowered> conv_deformable(const NodeCall& call) { return convolution(call, {1, 3, {}}); }

Result<Lowered> conv_transpose(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto weight = call.shape(1);
  if (!weight) return weight.error();
  const auto kernel = kernel_of(*weight);
  if (!kernel) return kernel.error();
  auto window = window_of(call, *input, *kernel);
  if (!window) return window.error();
  const std::int64_t groups = call.integer("group", 1);
  if ((*weight)[0] != (*input)[1] || groups < 1) {
    return fail(Errc::invalid_input, "weights of {} do not match an input of {}", to_text(*weight),
                to_text(*input));
  }
  const Count out = Count((*weight)[1].size) * groups;
  if (out.overflowed()) return out.value().error();
  if (const auto fits = check_bias(call, 2, out.exact()); !fits) return fits.error();
  const auto more = extent(call, "output_padding", window->rank(), 0);
  if (!more) return more.error();
  for (const std::int64_t size : more->sizes()) {
    if (size < 0) return fail(Errc::invalid_input, "invalid output padding {}", size);
  }
  TransposedConvolution op{*window, *more, out.exact(), groups, has_bias(call, 2)};
  const auto wanted = call.integers("output_shape");
  const std::string automatic = call.text("auto_pad", "NOTSET");
  for (std::size_t axis = 0; axis < window->rank(); ++axis) {
    // output_shape determines the padding.
    std::optional<std::int64_t> size;
    if (wanted && wanted->size() >= window->rank()) {
      size = (*wanted)[wanted->size() - window->rank() + axis];
    } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      size = (Count((*input)[axis + 2].size) * window->stride[axis]).value().value_or(0);
    }
    if (!size) continue;
    const Count reach = Count(window->stride[axis]) * (Count((*input)[axis + 2].size) - 1) + (*more)[axis] +
                        (Count(window->kernel[axis]) - 1) * window->dilation[axis] + 1 - *size;
    if (reach.overflowed()) return reach.value().error();
    op.window.pad_begin[axis] = reach.exact() / 2;
    op.window.pad_end[axis] = reach.exact() - reach.exact() / 2;
  }
  Lowered lowered{op, {0}, {{1, WeightRole::kernel}}, {}};
  if (op.bias) lowered.weights.push_back({2, WeightRole::bias});
  return lowered;
}

template <PoolKind Kind>
Result<Lowered> pool(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto window = window_of(call, *input, std::nullopt);
  if (!window) return window.error();
  return Lowered{Pool{Kind, *window, call.integer("ceil_mode", 0) != 0}, {0}, {}, {}};
}

template <PoolKind Kind>
Result<Lowered> global_pool(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  if (input->rank() < 3 || input->rank() > 2 + Extent::kMaxRank) {
    return fail(Errc::unsupported, "{} of {} is not supported", call.type(), to_text(*input));
  }
  return Lowered{AdaptivePool{Kind, Extent::same(input->rank() - 2, 1)}, {0}, {}, {}};
}

}  // namespace

std::vector<NamedRule> window_rules() {
  return {
      {"Conv", conv},
      {"ConvInteger", conv_integer},
      {"QLinearConv", conv_quantized},
      {"DeformConv", conv_deformable},
      {"ConvTranspose", conv_transpose},
      {"MaxPool", pool<PoolKind::max>},
      {"AveragePool", pool<PoolKind::average>},
      {"LpPool", pool<PoolKind::norm>},
      {"GlobalMaxPool", global_pool<PoolKind::max>},
      {"GlobalAveragePool", global_pool<PoolKind::average>},
      {"GlobalLpPool", global_pool<PoolKind::norm>},
  };
}

}  // namespace ergon::graph::onnx
