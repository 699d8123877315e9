// A network becomes tasks in two readings that are laid over each other: its steps, which say what a
// framework runs at once, and its kernels, which say what each step asks of a chip.

#include "predict/task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "graph/summary.h"
#include "predict/library_habits.h"
#include "predict/memory_order.h"
#include "predict/strided_copies.h"
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

// Of the square window that holds as much: 7 x 1 is not 1 x 1.
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

// The channels of an image; of anything else the last axis, along which rows lie, and how many of them a
// sample has, whatever axes they are counted along.
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

// By node: the operation of the workload that stands for it.
using KernelsOf = std::map<graph::NodeId, const device::Operation*>;

KernelsOf kernels_by_node(const device::Workload& work) {
  KernelsOf kernels;
  for (const device::Operation& operation : work.operations) {
    for (const graph::NodeId node : operation.nodes) kernels[node] = &operation;
  }
  return kernels;
}

Task task_of(const graph::Network& network, const profile::Step& step, const profile::Subject& subject,
             const KernelsOf& kernels, const Condition& condition) {
  const std::int64_t batch = condition.batch;
  Task task;
  task.kind = subject.name;
  task.description =
      subject.attributes.empty() ? subject.inputs : subject.attributes + " of " + subject.inputs;
  task.id = subject.id;
  task.geometry = geometry_of(network, step, batch);
  for (const graph::NodeId node : step.nodes) {
    const auto found = kernels.find(node);
    if (found == kernels.end()) continue;
    const device::Operation& operation = *found->second;
    task.forward.insert(task.forward.end(), operation.forward.begin(), operation.forward.end());
    task.backward.insert(task.backward.end(), operation.backward.begin(), operation.backward.end());
  }
  note_library_habits(task, network, network.nodes[step.nodes.front()], condition);
  return task;
}

// A dropout that drops reads, draws and writes; the graph's costs know nothing of it on the way forth.
void drop(Task& task, device::Precision precision) {
  device::Kernel kernel;
  kernel.flops = task.geometry.input_elements;
  kernel.traffic = Bytes{(task.geometry.input_elements + task.geometry.output_elements) *
                         static_cast<double>(device::bytes_of(precision))};
  task.forward = {kernel};
}

// Alone, and in 32 bits, an image lies channels first. In a network it may not (ConvNeXt), and the way back
// of filters that work channel by channel then takes other kernels.
bool filters_turned(const graph::Network& network, const profile::Step& step, const Condition& condition) {
  if (device::bytes_of(condition.precision) == 2 || condition.mode != Mode::training) return false;
  const graph::Node& node = network.nodes[step.nodes.front()];
  const auto* convolution = std::get_if<graph::Convolution>(&node.operation);
  return convolution != nullptr && graph::is_depthwise(*convolution, network.values[node.inputs[0]].shape) &&
         lies_turned(network, node.inputs[0]);
}

// transformers computes its GELU operator by operator: a power, four products, two sums and a tanh, which
// move 18 tensors where one kernel moves two. The way back has as many.
void spell_out_gelu(Task& task) {
  constexpr std::size_t kOperators = 8;
  constexpr double kTensors = 18.0 / 2 / kOperators;
  for (auto* kernels : {&task.forward, &task.backward}) {
    std::vector<device::Kernel> spelled;
    for (device::Kernel kernel : *kernels) {
      kernel.traffic *= kTensors;
      kernel.flops /= kOperators;
      spelled.insert(spelled.end(), kOperators, kernel);
    }
    *kernels = std::move(spelled);
  }
}

profile::Condition profiled(const Condition& condition) {
  return {condition.batch, condition.mode, condition.precision, profile::usual_layout(condition.precision)};
}

}  // namespace

double traffic_of(const Task& task) {
  double bytes = 0;
  for (const device::Kernel& kernel : task.forward) bytes += kernel.traffic.si();
  return bytes;
}

Result<Job> job_of(const graph::Network& network, const Condition& condition) {
  const auto work = device::workload_of(network, condition.batch, condition.mode, condition.precision);
  if (!work) return work.error();
  const KernelsOf kernels = kernels_by_node(*work);
  const bool training = condition.mode == Mode::training;
  const auto wanted = graph::gradient_wanted(network);
  Job job{network.name, condition, {}, work->weights, work->activations};
  std::map<std::string, std::size_t> places;
  const auto steps = profile::steps_of(network, {condition.mode, false});
  for (const profile::Step& step : steps) {
    if (step.what == profile::Step::What::view) continue;
    const auto subject =
        profile::subject_of(network, step, profiled(condition), training && wanted[step.nodes.front()]);
    const bool turned = filters_turned(network, step, condition);
    const auto [place, fresh] = places.emplace(subject.id + (turned ? " turned" : ""), job.tasks.size());
    if (fresh) {
      job.tasks.push_back(task_of(network, step, subject, kernels, condition));
      job.tasks.back().turned = turned;
      if (subject.name == "dropout") drop(job.tasks.back(), condition.precision);
      if (subject.name == "new_gelu") spell_out_gelu(job.tasks.back());
    } else {
      job.tasks[place->second].count += 1;
    }
  }
  for (Task& copy : strided_copies(network, steps, condition)) job.tasks.push_back(std::move(copy));
  return job;
}

Result<Task> lone_task(const graph::Network& network, const Condition& condition) {
  const bool drops = std::holds_alternative<graph::Dropout>(network.nodes.back().operation);
  const Mode mode = drops ? Mode::training : condition.mode;
  const auto work = device::workload_of(network, condition.batch, mode, condition.precision);
  if (!work) return work.error();
  const KernelsOf kernels = kernels_by_node(*work);
  const auto steps = profile::steps_of(network, {mode, false});
  if (steps.empty()) return fail(Errc::invalid_input, "{} has no operation", network.name);
  const profile::Step& last = steps.back();
  const auto subject = profile::subject_of(network, last, profiled(condition), true);
  Task task = task_of(network, last, subject, kernels, condition);
  if (drops) drop(task, condition.precision);
  if (condition.mode == Mode::inference) task.backward.clear();
  return task;
}

}  // namespace ergon::predict
