// Converts operations to kernels as an eager framework launches them: one kernel for the forward pass of an
// operation and one per gradient in the backward pass. Views (reshape, slice, split) launch no kernel.

#include "device/twin/kernel.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/twin/activation_memory.h"
#include "device/twin/fusion.h"
#include "device/twin/network_precision.h"
#include "graph/infer.h"
#include "graph/matrix_product.h"
#include "graph/overloaded.h"

namespace ergon::device {
namespace {

bool launches_nothing(const graph::Operation& operation, graph::Mode mode) {
  return std::visit(graph::Overloaded{
                        [](const graph::Input&) { return true; },
                        [](const graph::Reshape&) { return true; },
                        [](const graph::Identity&) { return true; },
                        [](const graph::Split&) { return true; },
                        [](const graph::Slice&) { return true; },
                        [](const graph::Expand&) { return true; },
                        [](const graph::Parameter&) { return true; },
                        [](const graph::Unknown&) { return true; },
                        [&](const graph::Dropout&) { return mode == graph::Mode::inference; },
                        [](const auto&) { return false; },
                    },
                    operation);
}

KernelKind kind_of(const graph::Operation& operation, const graph::Shape& input) {
  if (const auto* convolution = std::get_if<graph::Convolution>(&operation)) {
    return graph::is_depthwise(*convolution, input) ? KernelKind::depthwise : KernelKind::product;
  }
  if (graph::multiplies_matrices(operation)) return KernelKind::product;
  return std::visit(graph::Overloaded{
                        [](const graph::BatchNorm&) { return KernelKind::norm; },
                        [](const graph::GroupNorm&) { return KernelKind::rows; },
                        [](const graph::LayerNorm&) { return KernelKind::rows; },
                        [](const graph::LocalResponseNorm&) { return KernelKind::gather; },
                        [](const graph::Softmax&) { return KernelKind::rows; },
                        [](const graph::Pool&) { return KernelKind::gather; },
                        [](const graph::AdaptivePool&) { return KernelKind::rows; },
                        [](const graph::Reduce&) { return KernelKind::rows; },
                        [](const graph::Transpose&) { return KernelKind::rows; },
                        [](const auto&) { return KernelKind::stream; },
                    },
                    operation);
}

// Floating-point type of the network file; graph::Costs are in its bytes.
graph::ElementType number_type(const graph::Network& network) {
  for (const graph::Node& node : network.nodes) {
    for (const graph::ValueId id : node.outputs) {
      const graph::ElementType type = network.values[id].type;
      if (graph::is_floating(type)) return type;
    }
  }
  return graph::ElementType::float32;
}

double extent(const graph::Dim& dim, std::int64_t batch) {
  return static_cast<double>(dim.at(batch).exact());
}

// Steps of a recurrent layer, which run one after another.
double steps_of(const graph::Network& network, const graph::Node& node) {
  const auto* recurrent = std::get_if<graph::Recurrent>(&node.operation);
  if (recurrent == nullptr) return 1;
  const graph::Shape& x = network.values[node.inputs[0]].shape;
  return static_cast<double>(x[recurrent->batch_first ? 1 : 0].size);
}

// The matrix product of the forward pass; `outputs` is the number of output elements.
ProductShape product_of(const graph::Network& network, const graph::Node& node, std::int64_t batch,
                        double outputs, double macs) {
  ProductShape product;
  product.k = std::max(1.0, macs / std::max(1.0, outputs));
  const graph::Shape& result = network.values[node.outputs[0]].shape;
  const double last = result.rank() > 0 ? extent(result[result.rank() - 1], batch) : 1;
  std::visit(graph::Overloaded{
                 [&](const graph::Convolution& op) {
                   product.count = static_cast<double>(op.groups);
                   product.n = static_cast<double>(op.out_channels) / product.count;
                   product.m = outputs / static_cast<double>(op.out_channels);
                 },
                 [&](const graph::TransposedConvolution& op) {
                   product.count = static_cast<double>(op.groups);
                   product.n = static_cast<double>(op.out_channels) / product.count;
                   product.m = outputs / static_cast<double>(op.out_channels);
                 },
                 [&](const graph::Dense& op) {
                   product.n = static_cast<double>(op.out_features);
                   product.m = outputs / product.n;
                 },
                 [&](const graph::Recurrent& op) {
                   product.n = static_cast<double>(graph::gates_of(op.cell) * op.hidden);
                   product.m = static_cast<double>(batch);
                   product.k = macs / product.n / product.m / steps_of(network, node);
                 },
                 [&](const graph::MatrixProduct& op) {
                   product.n = last;
                   product.m = outputs / last;
                   if (op.weight || result.rank() < 2) return;
                   const double rows = extent(result[result.rank() - 2], batch);
                   product.count = outputs / last / rows;
                   product.m = rows;
                 },
                 [&](const auto&) {
                   product.n = last;
                   product.m = outputs / last;
                 },
             },
             node.operation);
  return product;
}

struct Parts {
  const graph::Network& network;
  const graph::UniqueOperation& unique;
  std::int64_t batch;
  double width;   // bytes per stored number / bytes per number in the network file
  double stored;  // bytes per stored number
  const Fusion& fusion;

  const graph::Node& node() const { return network.nodes[unique.example]; }
  Bytes moved(const graph::Costs& costs) const {
    return Bytes{static_cast<double>(costs.bytes_moved()) * width * (1 - on_chip_share())};
  }
  // Share of the inputs and outputs that stay on the chip.
  double on_chip_share() const {
    double on_chip = 0, all = 0;
    const auto count = [&](graph::ValueId id) {
      const auto elements = static_cast<double>(network.values[id].shape.elements(batch).exact());
      all += elements;
      if (fusion.on_chip[id]) on_chip += elements;
    };
    for (const graph::ValueId id : node().inputs) count(id);
    for (const graph::ValueId id : node().outputs) count(id);
    return all > 0 ? on_chip / all : 0;
  }
};

Kernel plain_kernel(const Parts& parts, const graph::Costs& costs) {
  Kernel kernel;
  const graph::Node& node = parts.node();
  const bool has_input = !parts.unique.inputs.empty();
  kernel.kind = has_input ? kind_of(node.operation, parts.unique.inputs[0]) : KernelKind::stream;
  kernel.flops = static_cast<double>(costs.flops);
  kernel.traffic = parts.moved(costs);
  kernel.launches = steps_of(parts.network, node);
  if (!graph::multiplies_matrices(node.operation)) return kernel;
  kernel.convolution = std::holds_alternative<graph::Convolution>(node.operation) ||
                       std::holds_alternative<graph::TransposedConvolution>(node.operation);
  // cuBLAS splits the inner loop of products; cuDNN only for weight gradients of convolutions.
  kernel.split_k = !kernel.convolution;
  kernel.few_channels = kernel.convolution && has_input && parts.unique.inputs[0].rank() > 1 &&
                        parts.unique.inputs[0][1].size <= 4;
  if (const auto* convolution = std::get_if<graph::Convolution>(&node.operation)) {
    const auto sizes = convolution->window.kernel.sizes();
    const auto strides = convolution->window.stride.sizes();
    const auto all = [](std::span<const std::int64_t> extents, std::int64_t size) {
      return std::all_of(extents.begin(), extents.end(), [&](std::int64_t each) { return each == size; });
    };
    double taps = 1;
    for (const std::int64_t size : sizes) taps *= static_cast<double>(size);
    kernel.side = std::pow(taps, 1 / std::max(1.0, static_cast<double>(sizes.size())));
    kernel.pointwise = all(sizes, 1);
    kernel.winograd = sizes.size() == 2 && all(sizes, 3) && all(strides, 1);
  }
  // cuDNN has direct kernels, not matrix products, for groups of few channels.
  constexpr double kFewChannelsInGroup = 32;
  kernel.product = product_of(parts.network, node, parts.batch, static_cast<double>(costs.output_elements),
                              static_cast<double>(costs.macs));
  if (kernel.kind == KernelKind::product && kernel.convolution && kernel.product.count > 1 &&
      kernel.product.n <= kFewChannelsInGroup) {
    kernel.kind = KernelKind::grouped;
  }
  return kernel;
}

std::string detail_of(const graph::Operation& operation) {
  if (const auto* convolution = std::get_if<graph::Convolution>(&operation)) {
    const auto& window = convolution->window;
    return fmt::format("{} / {}, {} out", fmt::join(window.kernel.sizes(), "x"),
                       fmt::join(window.stride.sizes(), "x"), convolution->out_channels);
  }
  if (const auto* dense = std::get_if<graph::Dense>(&operation))
    return fmt::format("{} out", dense->out_features);
  if (const auto* pool = std::get_if<graph::Pool>(&operation))
    return fmt::format("{} / {}", fmt::join(pool->window.kernel.sizes(), "x"),
                       fmt::join(pool->window.stride.sizes(), "x"));
  return "";
}

// The bias of a convolution is added by a separate kernel.
bool has_separate_bias(const graph::Operation& operation) {
  const auto* convolution = std::get_if<graph::Convolution>(&operation);
  return convolution != nullptr && convolution->bias;
}

Kernel bias_kernel(const Parts& parts, const graph::Costs& costs) {
  Kernel kernel;
  kernel.flops = static_cast<double>(costs.output_elements);
  kernel.traffic = Bytes{static_cast<double>(costs.output_elements) * 2 * parts.stored};
  return kernel;
}

// Kernels of the gradients of weights (inner loop over all samples) and inputs.
std::vector<Kernel> backward_kernels(const Parts& parts, const Kernel& forward, const graph::Costs& once,
                                     const graph::Costs& both) {
  Kernel kernel = forward;
  kernel.backward = true;
  kernel.flops = static_cast<double>(both.flops - once.flops);
  kernel.traffic = parts.moved(both) - parts.moved(once);
  if (kernel.traffic <= Bytes{0}) return {};
  const graph::Node& node = parts.node();
  if (!graph::multiplies_matrices(node.operation)) return {kernel};
  const bool has_weights = !node.weights.empty();
  const double products = std::max(
      1.0, static_cast<double>(both.macs - once.macs) / std::max(1.0, static_cast<double>(once.macs)));
  kernel.flops /= products;
  kernel.traffic /= products;
  const ProductShape& shape = forward.product;
  Kernel to_weights = kernel, to_inputs = kernel;
  to_weights.product = {shape.n, shape.k, shape.m, shape.count};
  to_weights.split_k = true;
  // In the input gradient, the taps of the convolution window belong to the inner loop.
  const double taps = kernel.convolution ? kernel.side * kernel.side : 1;
  to_inputs.product = {shape.m, std::max(1.0, shape.k / taps), shape.n * std::min(taps, shape.k),
                       shape.count};
  std::vector<Kernel> kernels;
  if (has_weights) kernels.push_back(to_weights);
  const auto rest = static_cast<int>(std::lround(products)) - (has_weights ? 1 : 0);
  for (int i = 0; i < rest; ++i) kernels.push_back(to_inputs);
  return kernels;
}

}  // namespace

Result<Workload> workload_of(const graph::Network& network, std::int64_t batch, graph::Mode mode,
                             Precision precision) {
  const auto unique = graph::unique_operations(network, batch, mode);
  if (!unique) return unique.error();
  const auto bill = graph::network_costs(network, batch, mode);
  if (!bill) return bill.error();
  const graph::ElementType type = number_type(network);
  const auto in_file = static_cast<double>(graph::bytes_of(1, type).exact());
  const double width = static_cast<double>(bytes_of(precision)) / in_file;
  const Fusion fusion = fusion_of(network);
  Workload work{network.name, batch, mode, precision, {}, {}, {}};
  const double copies = mode == graph::Mode::training ? 2 : 1;
  work.weights = Bytes{static_cast<double>(bill->totals.sum.weight_bytes) / in_file *
                       stored_bytes(type, precision) * copies};
  for (const graph::UniqueOperation& each : *unique) {
    const Parts parts{network, each, batch, width, static_cast<double>(bytes_of(precision)), fusion};
    if (launches_nothing(parts.node().operation, mode) || fusion.no_launch[each.example]) continue;
    const auto once = graph::cost_of(network, parts.node(), {batch, graph::Mode::inference, false});
    if (!once) return once.error();
    Operation operation{each.kind,  each.example, each.nodes, {}, detail_of(parts.node().operation),
                        each.count, {},           {}};
    if (!each.inputs.empty()) operation.input = each.inputs[0].at(batch);
    operation.forward.push_back(plain_kernel(parts, *once));
    if (mode == graph::Mode::training)
      operation.backward = backward_kernels(parts, operation.forward[0], *once, each.each);
    if (has_separate_bias(parts.node().operation)) operation.forward.push_back(bias_kernel(parts, *once));
    work.operations.push_back(std::move(operation));
  }
  work.activations = activation_memory(network, fusion, batch, mode, precision);
  return work;
}

}  // namespace ergon::device
