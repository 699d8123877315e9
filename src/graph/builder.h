#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph {

// What flows while a network is being built.
using Tensor = ValueId;

// Builds a network layer by layer, each with its shape checked as it is added.
//
// Code that builds a network reads like the network, so it does not stop to ask whether each layer worked:
// after the first failure every call does nothing and hands out a stand-in tensor, and finish() says what
// went wrong and in which layer.
class Builder {
 public:
  Builder(std::string family, std::string name);

  Tensor input(std::string layer, std::string_view type, const Shape& shape,
               ElementType element = ElementType::float32);

  // A layer that is one operation.
  Tensor add(std::string layer, std::string_view type, Operation operation, std::vector<Tensor> inputs);
  // A layer that is several operations in a row.
  Tensor chain(std::string layer, std::string_view type, std::vector<Operation> operations, Tensor input);

  // A layer that is anything else: everything put until the next layer belongs to it.
  void open(std::string layer, std::string_view type);
  Tensor put(Operation operation, std::vector<Tensor> inputs);
  Tensor put_input(const Shape& shape, ElementType element = ElementType::float32);
  // Cuts a tensor into parts along an axis.
  std::vector<Tensor> put_split(Tensor input, std::int64_t axis, const std::vector<std::int64_t>& sizes);

  // As put, for an operation with several outputs, and for callers that want the failure at once. Weights
  // default to what the operation stores by its attributes, element types to those of the first input.
  struct Placed {
    std::optional<std::vector<Weight>> weights;
    std::vector<ElementType> types;
  };
  Result<std::vector<Tensor>> place(Operation operation, std::vector<Tensor> inputs, Placed placed);

  // Layers added while this is set exist in training only.
  void set_training_only(bool training_only) { training_only_ = training_only; }

  // "conv2d", then "conv2d_1", "conv2d_2", ...
  std::string numbered(std::string_view stem);

  const Shape& shape(Tensor tensor) const { return network_.values[tensor].shape; }
  std::int64_t channels(Tensor tensor) const { return shape(tensor)[1].size; }
  ElementType element(Tensor tensor) const { return network_.values[tensor].type; }

  bool failed() const { return failure_.has_value(); }
  // Remembers a failure that the caller found.
  void reject(Error error);

  Network& network() { return network_; }
  Result<Network> finish(std::vector<Tensor> outputs);

 private:
  Network network_;
  std::optional<Error> failure_;
  std::map<std::string, int, std::less<>> numbers_;
  bool training_only_ = false;
};

}  // namespace ergon::graph
