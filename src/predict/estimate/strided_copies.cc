#include "predict/estimate/strided_copies.h"

#include <algorithm>

#include <fmt/format.h>

#include "predict/estimate/memory_layout.h"

namespace ergon::predict {
namespace {

using graph::ValueId;

// Bytes per element of an element-by-element copy. Swin transformers on an H200 take 6.8 ps per element in
// addition to their operations, in 16 and in 32 bits (data/measured/h200-more); at the rate of gather kernels
// that is this much traffic.
constexpr double kBytesOf32Bit = 6.1, kBytesOf16Bit = 2.1;
// In 16 bits a slice of channels is copied to channels-last for the convolution, and read once more with
// strides by the following concatenation: ShuffleNet at batch 128 spends 0.65 ms on 42 million such elements
// (data/reference/h200/operators.csv, compared with its operations alone).
constexpr double kStridedPasses = 2;

// "8192x3x49x32"
std::string extents_of(const graph::Shape& shape, std::int64_t batch) {
  std::string text;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    text += fmt::format("{}{}", axis > 0 ? "x" : "", shape[axis].at(batch).exact());
  return text;
}

bool is_half(const WorkloadConfig& config) { return device::bytes_of(config.precision) == 2; }

Task copy_of(const graph::Shape& shape, const WorkloadConfig& config) {
  const auto elements = static_cast<double>(shape.elements(config.batch).exact());
  Task task;
  task.kind = "strided_copy";
  task.description = extents_of(shape, config.batch);
  task.id = fmt::format("{} {}", task.kind, task.description);
  task.implicit = true;
  task.geometry.batch = static_cast<double>(config.batch);
  task.geometry.inputs = 1;
  task.geometry.input_elements = task.geometry.output_elements = elements;
  device::Kernel kernel;
  kernel.kind = device::KernelKind::gather;
  kernel.traffic = Bytes{elements * (is_half(config) ? kBytesOf16Bit : kBytesOf32Bit)};
  task.forward = {kernel};
  return task;
}

Task channel_copy(const graph::Shape& shape, const WorkloadConfig& config) {
  Task task = copy_of(shape, config);
  task.kind = "channel_copy";
  task.shares_launch = true;
  task.id = fmt::format("{} {}", task.kind, task.description);
  device::Kernel& kernel = task.forward.front();
  if (is_half(config)) {
    kernel.traffic *= kStridedPasses;
  } else {
    // Channels-first: the slice of one sample is contiguous.
    kernel.kind = device::KernelKind::stream;
    kernel.traffic =
        Bytes{task.geometry.input_elements * 2 * static_cast<double>(device::bytes_of(config.precision))};
  }
  if (config.mode == graph::Mode::training) task.backward = task.forward;
  return task;
}

// Layout conversion of an image for a convolution, and of its gradient.
Task layout_copy(const graph::Shape& shape, const WorkloadConfig& config) {
  Task task = copy_of(shape, config);
  task.shares_launch = true;
  task.id = fmt::format("{} of images {}", task.kind, task.description);
  if (config.mode == graph::Mode::training) task.backward = task.forward;
  return task;
}

// A transpose that needs a copy.
Task row_copy(const graph::Shape& shape, const WorkloadConfig& config) {
  Task task = copy_of(shape, config);
  task.kind = "transpose";
  task.id = fmt::format("{} of rows {}", task.kind, task.description);
  task.geometry.channels = static_cast<double>(shape[shape.rank() - 1].at(config.batch).exact());
  const double rows = task.geometry.input_elements / std::max(1.0, task.geometry.channels);
  task.geometry.height = std::max(1.0, rows / task.geometry.batch);
  task.geometry.width = 1;
  device::Kernel& kernel = task.forward.front();
  kernel.kind = device::KernelKind::rows;
  kernel.traffic =
      Bytes{task.geometry.input_elements * 2 * static_cast<double>(device::bytes_of(config.precision))};
  if (config.mode == graph::Mode::training) task.backward = task.forward;
  return task;
}

void add_once(std::vector<Task>& copies, Task copy) {
  const auto same =
      std::find_if(copies.begin(), copies.end(), [&](const Task& each) { return each.id == copy.id; });
  if (same == copies.end())
    copies.push_back(std::move(copy));
  else
    same->count += 1;
}

}  // namespace

std::vector<Task> strided_copies(const graph::Network& network, const std::vector<profile::Step>& steps,
                                 const WorkloadConfig& config) {
  std::vector<Task> copies;
  for (const profile::Step& step : steps) {
    if (step.kind != profile::Step::Kind::node) continue;
    const graph::Node& node = network.nodes[step.nodes.front()];
    if (std::holds_alternative<graph::Convolution>(node.operation)) {
      // Channels-first: a slice of a single sample is contiguous.
      const bool contiguous = config.batch == 1 && !is_half(config);
      if (!contiguous && is_channel_slice(network, node.inputs[0]))
        add_once(copies, channel_copy(network.values[node.inputs[0]].shape, config));
      if (is_half(config) && is_unintended_channels_first(network, node.inputs[0]))
        add_once(copies, layout_copy(network.values[node.inputs[0]].shape, config));
    } else if (std::holds_alternative<graph::Dense>(node.operation)) {
      if (has_strided_rows(network, node.inputs[0], is_half(config)))
        add_once(copies, row_copy(network.values[node.inputs[0]].shape, config));
    } else if (std::holds_alternative<graph::MatrixProduct>(node.operation)) {
      for (const ValueId input : node.inputs) {
        const graph::Shape& shape = network.values[input].shape;
        if (shape.rank() >= 4 && has_strided_matrices(network, input))
          add_once(copies, copy_of(shape, config));
      }
    }
  }
  return copies;
}

}  // namespace ergon::predict
