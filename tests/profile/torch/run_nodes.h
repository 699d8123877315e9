#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "profile/torch/kernel.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {

// Runs a network node by node on the processor and checks the shape and type of every tensor against the
// network.
struct NodeRun {
  explicit NodeRun(const graph::Network& run, const graph::Content* numbers = nullptr)
      : network(run), content(numbers) {}

  const graph::Network& network;
  const graph::Content* content = nullptr;
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  bool random = true;     // random weights; false: constant, which is faster
  bool in_place = false;  // at the last reader of an input
  at::ScalarType precision = at::kFloat;
  std::map<graph::ValueId, at::Tensor> inputs;  // random where absent
  std::vector<at::Tensor> weights;              // created if empty
  bool keeps_all = false;                       // keep tensors after their last reader

  Registers registers;
  std::vector<WeightPlan> plans;
  std::optional<Error> failure;

  bool run() {
    std::optional<c10::InferenceMode> guard;
    if (mode == graph::Mode::inference) guard.emplace();
    std::vector<std::pair<graph::NodeId, Kernel>> kernels;
    for (graph::NodeId id = 0; id < network.nodes.size(); ++id) {
      if (!compile(id, kernels)) return false;
    }
    make_weights();
    registers.values.resize(network.values.size());
    registers.weights = &weights;
    for (const auto& [id, kernel] : kernels) {
      const graph::Node& node = network.nodes[id];
      if (std::holds_alternative<graph::Input>(node.operation)) {
        registers.values[node.outputs[0]] = input(node.outputs[0]);
      }
      kernel(registers);
      for (const graph::ValueId output : node.outputs) check(id, output);
      for (const graph::ValueId input : node.inputs) {
        if (!keeps_all && last_reader(input) == id) registers.values[input].reset();
      }
    }
    return true;
  }

  const at::Tensor& output(std::size_t i = 0) const { return registers.values[network.outputs[i]]; }

 private:
  bool compile(graph::NodeId id, std::vector<std::pair<graph::NodeId, Kernel>>& kernels) {
    const graph::Node& node = network.nodes[id];
    NodeView view{network, node, content == nullptr ? nullptr : &content->nodes[id], batch, mode};
    view.first_weight = plans.size();
    view.precision = precision;
    view.in_place = in_place && !node.inputs.empty() && last_reader(node.inputs[0]) == id;
    auto planned = weights_for(view);
    auto kernel = kernel_of(view);
    if (!planned || !kernel) {
      const std::string& layer = network.layers.empty() ? network.name : network.layers[node.layer].name;
      failure = (planned ? kernel.error() : planned.error()).in(layer);
      return false;
    }
    for (WeightPlan& plan : *planned) plans.push_back(std::move(plan));
    kernels.emplace_back(id, std::move(*kernel));
    return true;
  }

  void make_weights() {
    if (!weights.empty()) return;
    for (const WeightPlan& plan : plans) {
      const at::ScalarType type = plan.type ? scalar_type_of(*plan.type).value() : precision;
      at::Tensor weight;
      if (plan.content) {
        weight = to_tensor(*plan.content).value().to(type);
        EXPECT_EQ(weight.sizes(), at::IntArrayRef(plan.sizes));
      } else if (plan.fill == WeightPlan::Fill::normal) {
        weight = random ? at::randn(plan.sizes, type).mul_(plan.deviation)
                        : at::full(plan.sizes, plan.deviation / 8, type);
      } else {
        weight =
            plan.fill == WeightPlan::Fill::ones ? at::ones(plan.sizes, type) : at::zeros(plan.sizes, type);
      }
      if (mode == graph::Mode::training && plan.trainable) weight.set_requires_grad(true);
      weights.push_back(std::move(weight));
    }
  }

  at::Tensor input(graph::ValueId id) const {
    if (const auto given = inputs.find(id); given != inputs.end()) return given->second;
    const graph::Value& value = network.values[id];
    const auto sizes = value.shape.at(batch);
    if (graph::is_floating(value.type)) return at::randn(sizes, precision);
    return at::randint(2, sizes, at::kLong).to(scalar_type_of(value.type).value());
  }

  graph::NodeId last_reader(graph::ValueId value) const {
    if (last_readers_.empty()) {
      last_readers_.resize(network.values.size(), 0);
      for (graph::NodeId id = 0; id < network.nodes.size(); ++id) {
        for (const graph::ValueId input : network.nodes[id].inputs) last_readers_[input] = id;
      }
      for (const graph::ValueId output : network.outputs) last_readers_[output] = UINT32_MAX;
    }
    return last_readers_[value];
  }

  void check(graph::NodeId id, graph::ValueId output) const {
    const graph::Value& value = network.values[output];
    const at::Tensor& tensor = registers.values[output];
    const graph::Node& node = network.nodes[id];
    const std::string what =
        graph::kind_of(node.operation, network.input_shapes(node)) + " in " + network.name;
    ASSERT_TRUE(tensor.defined()) << what;
    EXPECT_EQ(tensor.sizes(), at::IntArrayRef(value.shape.at(batch))) << what;
    EXPECT_EQ(tensor.is_floating_point(), graph::is_floating(value.type)) << what;
  }

  mutable std::vector<graph::NodeId> last_readers_;
};

// A network of one operation, whose inputs are network inputs.
struct Given {
  graph::Shape shape;
  graph::ElementType type = graph::ElementType::float32;
};
inline graph::Network network_of(const graph::Operation& operation, const std::vector<Given>& inputs,
                                 const std::vector<graph::ElementType>& types = {}) {
  graph::Builder build("torchvision", "one");
  std::vector<graph::Tensor> tensors;
  for (const Given& given : inputs) tensors.push_back(build.input("x", "Input", given.shape, given.type));
  build.open("op", "Op");
  auto outputs = build.try_put(operation, tensors, {std::nullopt, types});
  EXPECT_TRUE(outputs) << outputs.error().message;
  auto network = build.finish(*outputs);
  EXPECT_TRUE(network);
  return std::move(*network);
}

}  // namespace ergon::profile::torch
