#include "predict/library_habits.h"

#include <algorithm>
#include <cmath>

namespace ergon::predict {
namespace {

double extent(const graph::Shape& shape, std::size_t axis, std::int64_t batch) {
  return static_cast<double>(shape[axis].at(batch).exact());
}

double elements(const graph::Shape& shape, std::int64_t batch) {
  return static_cast<double>(shape.elements(batch).exact());
}

// A layer norm gives each row to a block of threads, a group norm each group of a sample. Of short rows that,
// not what they move, takes the time: twins were calibrated without it, and trees that never saw rows as
// short would not know.
void count_rows(Task& task, const graph::Network& network, const graph::Node& node, std::int64_t batch) {
  if (node.inputs.empty()) return;
  const graph::Shape& shape = network.values[node.inputs[0]].shape;
  double rows = 1, walk = 0;
  if (const auto* norm = std::get_if<graph::LayerNorm>(&node.operation)) {
    for (std::size_t axis = 0; axis + norm->axes < shape.rank(); ++axis) rows *= extent(shape, axis, batch);
  } else if (std::holds_alternative<graph::GroupNorm>(node.operation)) {
    // Every channel by itself, where there are no groups.
    rows =
        extent(shape, 0, batch) * (task.geometry.groups > 0 ? task.geometry.groups : extent(shape, 1, batch));
    walk = elements(shape, batch) / std::max(1.0, rows);
  } else {
    return;
  }
  for (auto* kernels : {&task.forward, &task.backward}) {
    for (device::Kernel& kernel : *kernels) {
      kernel.rows = rows;
      kernel.walk = walk;
    }
  }
}

// Whether an operation stretches one of its operands over the other.
bool stretches(const graph::Network& network, const graph::Node& node, std::int64_t batch) {
  const auto* arithmetic = std::get_if<graph::Arithmetic>(&node.operation);
  if (arithmetic == nullptr) return false;
  const double given = elements(network.values[node.outputs[0]].shape, batch);
  if (arithmetic->weight) return elements(*arithmetic->weight, batch) < given;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::ValueId input) {
    return elements(network.values[input].shape, batch) < given;
  });
}

// A bias of a convolution is added in a pass of its own, the last one forth, and stretched over the image. In
// 32 bits memory takes nearly as long.
void count_places(Task& task, const graph::Network& network, const graph::Node& node,
                  const Condition& condition) {
  if (device::bytes_of(condition.precision) != 2) return;
  const std::int64_t batch = condition.batch;
  const auto* convolution = std::get_if<graph::Convolution>(&node.operation);
  const bool adds_bias = convolution != nullptr && convolution->bias && task.forward.size() > 1;
  if (!task.forward.empty() && (adds_bias || stretches(network, node, batch)))
    task.forward.back().places = elements(network.values[node.outputs[0]].shape, batch);
}

// 16 bytes are eight numbers of 16 bits. Rows that cannot be read so are multiplied by other kernels, which
// do not add the bias on their way.
void note_alignment(Task& task, const graph::Node& node, device::Precision precision) {
  const auto* dense = std::get_if<graph::Dense>(&node.operation);
  if (dense == nullptr) return;
  constexpr double kNumbers = 8;
  const bool odd_rows = std::fmod(task.geometry.channels, kNumbers) > 0;
  const bool odd = odd_rows || std::fmod(task.geometry.out_channels, kNumbers) > 0;
  for (auto* kernels : {&task.forward, &task.backward}) {
    for (device::Kernel& kernel : *kernels) kernel.unaligned = odd;
  }
  const auto bytes = static_cast<double>(device::bytes_of(precision));
  if (!dense->bias || !odd_rows || bytes != 2) return;
  device::Kernel bias;
  bias.flops = bias.places = task.geometry.output_elements;
  bias.traffic = Bytes{2 * bytes * task.geometry.output_elements};
  task.forward.push_back(bias);
}

}  // namespace

void note_library_habits(Task& task, const graph::Network& network, const graph::Node& node,
                         const Condition& condition) {
  count_rows(task, network, node, condition.batch);
  count_places(task, network, node, condition);
  note_alignment(task, node, condition.precision);
}

Job as_twins_know_it(Job job) {
  for (Task& task : job.tasks) {
    for (device::Kernel& kernel : task.forward) kernel.places = 0;
  }
  return job;
}

}  // namespace ergon::predict
