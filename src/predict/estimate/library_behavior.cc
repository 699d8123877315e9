#include "predict/estimate/library_behavior.h"

#include <algorithm>
#include <cmath>

namespace ergon::predict {
namespace {

double axis_extent(const graph::Shape& shape, std::size_t axis, std::int64_t batch) {
  return static_cast<double>(shape[axis].at(batch).exact());
}

double element_count(const graph::Shape& shape, std::int64_t batch) {
  return static_cast<double>(shape.elements(batch).exact());
}

// A layer norm maps each row to a thread block, a group norm each group of a sample. With short rows the
// blocks take the time, not the memory traffic. Twins were calibrated without this effect, and trees do not
// extrapolate to rows shorter than those in the training data.
void count_rows(Task& task, const graph::Network& network, const graph::Node& node, std::int64_t batch) {
  if (node.inputs.empty()) return;
  const graph::Shape& shape = network.values[node.inputs[0]].shape;
  double rows = 1, walk = 0;
  if (const auto* norm = std::get_if<graph::LayerNorm>(&node.operation)) {
    for (std::size_t axis = 0; axis + norm->axes < shape.rank(); ++axis)
      rows *= axis_extent(shape, axis, batch);
  } else if (std::holds_alternative<graph::GroupNorm>(node.operation)) {
    // Without groups, each channel is a group.
    rows = axis_extent(shape, 0, batch) *
           (task.geometry.groups > 0 ? task.geometry.groups : axis_extent(shape, 1, batch));
    walk = element_count(shape, batch) / std::max(1.0, rows);
  } else {
    return;
  }
  for (auto* kernels : {&task.forward, &task.backward}) {
    for (device::Kernel& kernel : *kernels) {
      kernel.rows = rows;
      kernel.elements_per_row = walk;
    }
  }
}

// The operation broadcasts one of its operands.
bool broadcasts(const graph::Network& network, const graph::Node& node, std::int64_t batch) {
  const auto* arithmetic = std::get_if<graph::Arithmetic>(&node.operation);
  if (arithmetic == nullptr) return false;
  const double given = element_count(network.values[node.outputs[0]].shape, batch);
  if (arithmetic->weight) return element_count(*arithmetic->weight, batch) < given;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::ValueId input) {
    return element_count(network.values[input].shape, batch) < given;
  });
}

// The bias of a convolution is broadcast over the image in a separate kernel, the last of the forward pass.
// In 32 bits the memory traffic takes nearly as long, so the indexing is not counted.
void count_broadcast(Task& task, const graph::Network& network, const graph::Node& node,
                     const WorkloadConfig& config) {
  if (device::bytes_of(config.precision) != 2) return;
  const std::int64_t batch = config.batch;
  const auto* convolution = std::get_if<graph::Convolution>(&node.operation);
  const bool adds_bias = convolution != nullptr && convolution->bias && task.forward.size() > 1;
  if (!task.forward.empty() && (adds_bias || broadcasts(network, node, batch)))
    task.forward.back().broadcast_indices = element_count(network.values[node.outputs[0]].shape, batch);
}

// Rows whose length is not a multiple of 8 cannot be loaded 16 bytes (eight 16-bit numbers) at a time. Other
// kernels multiply them, and the bias needs a separate kernel.
void note_alignment(Task& task, const graph::Node& node, device::Precision precision) {
  const auto* dense = std::get_if<graph::Dense>(&node.operation);
  if (dense == nullptr) return;
  constexpr double kPerLoad = 8;
  const bool odd_rows = std::fmod(task.geometry.channels, kPerLoad) > 0;
  const bool odd = odd_rows || std::fmod(task.geometry.out_channels, kPerLoad) > 0;
  for (auto* kernels : {&task.forward, &task.backward}) {
    for (device::Kernel& kernel : *kernels) kernel.unaligned = odd;
  }
  const auto bytes = static_cast<double>(device::bytes_of(precision));
  if (!dense->bias || !odd_rows || bytes != 2) return;
  device::Kernel bias;
  bias.flops = bias.broadcast_indices = task.geometry.output_elements;
  bias.traffic = Bytes{2 * bytes * task.geometry.output_elements};
  task.forward.push_back(bias);
}

}  // namespace

void apply_library_behavior(Task& task, const graph::Network& network, const graph::Node& node,
                            const WorkloadConfig& config) {
  count_rows(task, network, node, config.batch);
  count_broadcast(task, network, node, config);
  note_alignment(task, node, config.precision);
}

Iteration without_broadcast_cost(Iteration iteration) {
  for (Task& task : iteration.tasks) {
    for (device::Kernel& kernel : task.forward) kernel.broadcast_indices = 0;
  }
  return iteration;
}

}  // namespace ergon::predict
