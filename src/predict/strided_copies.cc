#include "predict/strided_copies.h"

#include <algorithm>

#include <fmt/format.h>

#include "predict/memory_order.h"

namespace ergon::predict {
namespace {

using graph::ValueId;

// Such a copy goes by elements. Swin transformers on an H200 take 6.8 ps for each on top of their operations,
// in 16 and in 32 bits (data/measured/h200-more); at the rate of kernels that gather this is that much
// traffic.
constexpr double kBytesOfWide = 6.1, kBytesOfHalf = 2.1;
// A part of an image's channels in 16 bits is copied into the order that convolutions want there, channels
// last, and read once more against the grain where it is joined with what lies like that: ShuffleNet at batch
// 128 spends 0.65 ms on 42 million such elements (data/reference/h200/operators.csv against its operations
// alone).
constexpr double kTurns = 2;

// "8192x3x49x32"
std::string extents_of(const graph::Shape& shape, std::int64_t batch) {
  std::string text;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    text += fmt::format("{}{}", axis > 0 ? "x" : "", shape[axis].at(batch).exact());
  return text;
}

bool is_half(const Condition& condition) { return device::bytes_of(condition.precision) == 2; }

Task copy_of(const graph::Shape& shape, const Condition& condition) {
  const auto elements = static_cast<double>(shape.elements(condition.batch).exact());
  Task task;
  task.kind = "strided_copy";
  task.description = extents_of(shape, condition.batch);
  task.id = fmt::format("{} {}", task.kind, task.description);
  task.hidden = true;
  task.geometry.batch = static_cast<double>(condition.batch);
  task.geometry.inputs = 1;
  task.geometry.input_elements = task.geometry.output_elements = elements;
  device::Kernel kernel;
  kernel.kind = device::KernelKind::gather;
  kernel.traffic = Bytes{elements * (is_half(condition) ? kBytesOfHalf : kBytesOfWide)};
  task.forward = {kernel};
  return task;
}

Task copied_part(const graph::Shape& shape, const Condition& condition) {
  Task task = copy_of(shape, condition);
  task.kind = "channel_copy";
  task.within_a_call = true;
  task.id = fmt::format("{} {}", task.kind, task.description);
  device::Kernel& kernel = task.forward.front();
  if (is_half(condition)) {
    kernel.traffic *= kTurns;
  } else {
    // Channels first, each sample's part lies in one piece.
    kernel.kind = device::KernelKind::stream;
    kernel.traffic =
        Bytes{task.geometry.input_elements * 2 * static_cast<double>(device::bytes_of(condition.precision))};
  }
  if (condition.mode == graph::Mode::training) task.backward = task.forward;
  return task;
}

// An image is put into the order that a convolution wants, and its gradient back.
Task turned_image(const graph::Shape& shape, const Condition& condition) {
  Task task = copy_of(shape, condition);
  task.within_a_call = true;
  task.id = fmt::format("{} of images {}", task.kind, task.description);
  if (condition.mode == graph::Mode::training) task.backward = task.forward;
  return task;
}

// A turn that cannot stay a view.
Task turned_rows(const graph::Shape& shape, const Condition& condition) {
  Task task = copy_of(shape, condition);
  task.kind = "transpose";
  task.id = fmt::format("{} of rows {}", task.kind, task.description);
  task.geometry.channels = static_cast<double>(shape[shape.rank() - 1].at(condition.batch).exact());
  const double rows = task.geometry.input_elements / std::max(1.0, task.geometry.channels);
  task.geometry.height = std::max(1.0, rows / task.geometry.batch);
  task.geometry.width = 1;
  device::Kernel& kernel = task.forward.front();
  kernel.kind = device::KernelKind::rows;
  kernel.traffic =
      Bytes{task.geometry.input_elements * 2 * static_cast<double>(device::bytes_of(condition.precision))};
  if (condition.mode == graph::Mode::training) task.backward = task.forward;
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
                                 const Condition& condition) {
  std::vector<Task> copies;
  for (const profile::Step& step : steps) {
    if (step.what != profile::Step::What::node) continue;
    const graph::Node& node = network.nodes[step.nodes.front()];
    if (std::holds_alternative<graph::Convolution>(node.operation)) {
      // Channels first, half of one sample lies in one piece.
      const bool in_one_piece = condition.batch == 1 && !is_half(condition);
      if (!in_one_piece && is_cut_from_channels(network, node.inputs[0]))
        add_once(copies, copied_part(network.values[node.inputs[0]].shape, condition));
      if (is_half(condition) && lies_channels_first(network, node.inputs[0]))
        add_once(copies, turned_image(network.values[node.inputs[0]].shape, condition));
    } else if (std::holds_alternative<graph::Dense>(node.operation)) {
      if (rows_lie_apart(network, node.inputs[0], is_half(condition)))
        add_once(copies, turned_rows(network.values[node.inputs[0]].shape, condition));
    } else if (std::holds_alternative<graph::MatrixProduct>(node.operation)) {
      for (const ValueId input : node.inputs) {
        const graph::Shape& shape = network.values[input].shape;
        if (shape.rank() >= 4 && is_scattered(network, input)) add_once(copies, copy_of(shape, condition));
      }
    }
  }
  return copies;
}

}  // namespace ergon::predict
