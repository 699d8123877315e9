// A network becomes tasks from two decompositions: its steps (what a framework runs as one operation) and its
// kernels (what each operation costs on a GPU), joined by node.

#include "predict/estimate/task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "device/twin/network_precision.h"
#include "graph/summary.h"
#include "predict/estimate/library_behavior.h"
#include "predict/estimate/memory_layout.h"
#include "predict/estimate/strided_copies.h"
#include "profile/plan.h"
#include "profile/step.h"

namespace ergon::predict {
namespace {

using graph::Mode;

double extent(const graph::Shape& shape, std::size_t axis, std::int64_t batch) {
  return axis < shape.rank() ? static_cast<double>(shape[axis].at(batch).exact()) : 0;
}

double elements(const graph::Shape& shape, std::int64_t batch) {
  return static_cast<double>(shape.elements(batch).exact());
}

// Side of the square window of equal area: 7 x 1 is not 1 x 1.
double side_of(const graph::Extent& extent) {
  if (extent.rank() == 0) return 0;
  double area = 1;
  for (std::size_t axis = 0; axis < extent.rank(); ++axis) area *= static_cast<double>(extent[axis]);
  return std::pow(area, 1.0 / static_cast<double>(extent.rank()));
}

void describe_operation(Geometry& geometry, const graph::Operation& operation) {
  if (const auto* convolution = std::get_if<graph::Convolution>(&operation)) {
    geometry.kernel = side_of(convolution->window.kernel);
    geometry.stride = side_of(convolution->window.stride);
    geometry.groups = static_cast<double>(convolution->groups);
    geometry.out_channels = static_cast<double>(convolution->out_channels);
  } else if (const auto* dense = std::get_if<graph::Dense>(&operation)) {
    geometry.out_channels = static_cast<double>(dense->out_features);
  } else if (const auto* norm = std::get_if<graph::GroupNorm>(&operation)) {
    geometry.groups = static_cast<double>(norm->groups);
  } else if (const auto* pool = std::get_if<graph::Pool>(&operation)) {
    geometry.kernel = side_of(pool->window.kernel);
    geometry.stride = side_of(pool->window.stride);
  }
}

// Images: channels, height, width. Other tensors: the last dimension as channels, and the number of rows per
// sample over all other dimensions as height.
void describe_input(Geometry& geometry, const graph::Shape& shape, std::int64_t batch) {
  if (shape.rank() == 4 && shape.is_image()) {
    geometry.channels = extent(shape, 1, batch);
    geometry.height = extent(shape, 2, batch);
    geometry.width = extent(shape, 3, batch);
    return;
  }
  if (shape.rank() == 0) return;
  geometry.channels = extent(shape, shape.rank() - 1, batch);
  geometry.height =
      geometry.channels > 0
          ? std::max(1.0, elements(shape, batch) / geometry.channels / static_cast<double>(batch))
          : 1;
  geometry.width = 1;
}

Geometry geometry_of(const graph::Network& network, const profile::Step& step, std::int64_t batch) {
  Geometry geometry;
  geometry.batch = static_cast<double>(batch);
  geometry.inputs = static_cast<double>(step.inputs.size());
  if (!step.inputs.empty()) describe_input(geometry, network.values[step.inputs[0]].shape, batch);
  for (const graph::ValueId input : step.inputs)
    geometry.input_elements += elements(network.values[input].shape, batch);
  geometry.output_elements = elements(network.values[step.output].shape, batch);
  for (const graph::NodeId id : step.nodes) {
    const graph::Node& node = network.nodes[id];
    describe_operation(geometry, node.operation);
    for (const graph::Weight& weight : node.weights) geometry.weights += elements(weight.shape, batch);
  }
  return geometry;
}

// The workload's operation, by node.
using KernelsOf = std::map<graph::NodeId, const device::Operation*>;

KernelsOf kernels_by_node(const device::Workload& work) {
  KernelsOf kernels;
  for (const device::Operation& operation : work.operations) {
    for (const graph::NodeId node : operation.nodes) kernels[node] = &operation;
  }
  return kernels;
}

Task task_of(const graph::Network& network, const profile::Step& step, const profile::Subject& subject,
             const KernelsOf& kernels, const WorkloadConfig& config) {
  const std::int64_t batch = config.batch;
  Task task;
  task.kind = subject.name;
  task.description =
      subject.attributes.empty() ? subject.inputs : subject.attributes + " of " + subject.inputs;
  task.id = subject.id;
  task.geometry = geometry_of(network, step, batch);
  for (const graph::NodeId node : step.nodes) {
    if (const auto type = device::unmodeled_type(network, network.nodes[node]))
      task.unmodeled = name_of(*type);
    const auto found = kernels.find(node);
    if (found == kernels.end()) continue;
    const device::Operation& operation = *found->second;
    task.forward.insert(task.forward.end(), operation.forward.begin(), operation.forward.end());
    task.backward.insert(task.backward.end(), operation.backward.begin(), operation.backward.end());
  }
  apply_library_behavior(task, network, network.nodes[step.nodes.front()], config);
  return task;
}

// Active dropout reads, draws random numbers and writes; the costs of the graph have no forward pass for it.
void activate_dropout(Task& task, device::Precision precision) {
  device::Kernel kernel;
  kernel.flops = task.geometry.input_elements;
  kernel.traffic = Bytes{(task.geometry.input_elements + task.geometry.output_elements) *
                         static_cast<double>(device::bytes_of(precision))};
  task.forward = {kernel};
}

// In 32 bits, operations measured alone are channels-first. In a network the image may be channels-last
// (ConvNeXt); the backward pass of a depthwise convolution then uses other kernels.
bool filters_channels_last(const graph::Network& network, const profile::Step& step,
                           const WorkloadConfig& config) {
  if (device::bytes_of(config.precision) == 2 || config.mode != Mode::training) return false;
  const graph::Node& node = network.nodes[step.nodes.front()];
  const auto* convolution = std::get_if<graph::Convolution>(&node.operation);
  return convolution != nullptr && graph::is_depthwise(*convolution, network.values[node.inputs[0]].shape) &&
         is_unintended_channels_last(network, node.inputs[0]);
}

// transformers computes GELU with eight operators: a power, four products, two sums and a tanh. They move 18
// tensors; a fused kernel moves two. The backward pass has as many.
void unfuse_gelu(Task& task) {
  constexpr std::size_t kOperators = 8;
  constexpr double kTensors = 18.0 / 2 / kOperators;
  for (auto* kernels : {&task.forward, &task.backward}) {
    std::vector<device::Kernel> unfused;
    for (device::Kernel kernel : *kernels) {
      kernel.traffic *= kTensors;
      kernel.flops /= kOperators;
      unfused.insert(unfused.end(), kOperators, kernel);
    }
    *kernels = std::move(unfused);
  }
  task.launches = kOperators;
}

profile::RunCondition profiled(const WorkloadConfig& config) {
  return {config.batch, config.mode, config.precision, profile::default_layout(config.precision)};
}

}  // namespace

double traffic_of(const Task& task) {
  double bytes = 0;
  for (const device::Kernel& kernel : task.forward) bytes += kernel.traffic.si();
  return bytes;
}

Result<Iteration> iteration_of(const graph::Network& network, const WorkloadConfig& config) {
  const auto work = device::workload_of(network, config.batch, config.mode, config.precision);
  if (!work) return work.error();
  const KernelsOf kernels = kernels_by_node(*work);
  const bool training = config.mode == Mode::training;
  const auto wanted = graph::needs_input_gradient(network);
  Iteration iteration{network.name, config, {}, work->weights, work->activations, network.folded_batch_norms};
  std::map<std::string, std::size_t> index_by_id;
  const auto steps = profile::steps_of(network, {config.mode, false});
  for (const profile::Step& step : steps) {
    if (step.kind == profile::Step::Kind::view) continue;
    const auto subject =
        profile::subject_of(network, step, profiled(config), training && wanted[step.nodes.front()]);
    const bool channels_last = filters_channels_last(network, step, config);
    const auto [entry, is_new] =
        index_by_id.emplace(subject.id + (channels_last ? " channels_last" : ""), iteration.tasks.size());
    if (is_new) {
      iteration.tasks.push_back(task_of(network, step, subject, kernels, config));
      iteration.tasks.back().channels_last = channels_last;
      if (subject.name == "dropout") activate_dropout(iteration.tasks.back(), config.precision);
      if (subject.name == "new_gelu") unfuse_gelu(iteration.tasks.back());
    } else {
      iteration.tasks[entry->second].count += 1;
    }
  }
  for (Task& copy : strided_copies(network, steps, config)) iteration.tasks.push_back(std::move(copy));
  return iteration;
}

Result<Task> standalone_task(const graph::Network& network, const WorkloadConfig& config) {
  const bool drops = std::holds_alternative<graph::Dropout>(network.nodes.back().operation);
  const Mode mode = drops ? Mode::training : config.mode;
  const auto work = device::workload_of(network, config.batch, mode, config.precision);
  if (!work) return work.error();
  const KernelsOf kernels = kernels_by_node(*work);
  const auto steps = profile::steps_of(network, {mode, false});
  if (steps.empty()) return fail(Errc::invalid_input, "{} has no operation", network.name);
  const profile::Step& last = steps.back();
  const auto subject = profile::subject_of(network, last, profiled(config), true);
  Task task = task_of(network, last, subject, kernels, config);
  if (drops) activate_dropout(task, config.precision);
  if (config.mode == Mode::inference) task.backward.clear();
  return task;
}

}  // namespace ergon::predict
