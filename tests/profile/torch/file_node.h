#pragma once

#include <ATen/ops/arange.h>

#include "run_nodes.h"

namespace ergon::profile::torch {

inline at::Tensor counting(std::vector<std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return at::arange(count, at::kFloat).remainder(7).sub(3).reshape(sizes);
}

inline float number(const at::Tensor& tensor, std::vector<std::int64_t> place) {
  at::Tensor here = tensor;
  for (const std::int64_t at : place) here = here.select(0, at);
  return here.item<float>();
}

inline void expect_numbers(const at::Tensor& got, const std::vector<float>& wanted) {
  ASSERT_EQ(got.numel(), static_cast<std::int64_t>(wanted.size()));
  const at::Tensor flat = got.contiguous().reshape(-1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(flat[static_cast<std::int64_t>(i)].item<float>(), wanted[i], 1e-4) << "at " << i;
  }
}

// One operation with file content.
struct FileNode {
  graph::NodeContent content;
  FileNode(std::string function, std::map<std::string, double, std::less<>> numbers = {}) {
    content.function = std::move(function);
    content.numbers = std::move(numbers);
    content.operands.push_back({0, nullptr});
  }
  FileNode& word(const std::string& name, const std::string& value) {
    return content.words[name] = value, *this;
  }
  FileNode& input(std::size_t input) { return content.operands.push_back({input, nullptr}), *this; }
  FileNode& omitted() { return content.operands.emplace_back(), *this; }
  FileNode& constant(const at::Tensor& numbers) {
    return content.operands.push_back({std::nullopt, to_stored(numbers)}), *this;
  }
  FileNode& integers(std::vector<std::int64_t> numbers, std::vector<std::int64_t> sizes) {
    auto stored = std::make_shared<graph::StoredTensor>();
    stored->type = graph::ElementType::int64;
    stored->sizes = std::move(sizes);
    const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
    stored->bytes.assign(bytes, bytes + numbers.size() * sizeof(std::int64_t));
    return content.operands.push_back({std::nullopt, std::move(stored)}), *this;
  }
};

inline at::Tensor result_of(const graph::Operation& operation, const std::vector<at::Tensor>& inputs,
                            std::vector<at::Tensor> weights, const FileNode* file_node = nullptr,
                            std::vector<graph::ElementType> types = {}) {
  std::vector<Given> given;
  for (const at::Tensor& input : inputs) {
    const graph::ElementType type = input.scalar_type() == at::kLong   ? graph::ElementType::int64
                                    : input.scalar_type() == at::kBool ? graph::ElementType::boolean
                                                                       : graph::ElementType::float32;
    given.push_back(
        {graph::Shape::fixed(std::vector<std::int64_t>(input.sizes().begin(), input.sizes().end())), type});
  }
  const graph::Network network = network_of(operation, given, types);
  graph::Content content;
  content.nodes.resize(network.nodes.size());
  if (file_node != nullptr) content.nodes.back() = file_node->content;
  NodeRun run{network, file_node == nullptr ? nullptr : &content};
  for (std::size_t i = 0; i < inputs.size(); ++i) run.inputs[network.nodes[i].outputs[0]] = inputs[i];
  run.weights = std::move(weights);
  run.keeps_all = true;
  if (!run.run()) {
    ADD_FAILURE() << run.failure->message;
    return at::zeros({1});
  }
  return run.output();
}

}  // namespace ergon::profile::torch
