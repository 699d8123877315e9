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

// A value of the network under construction.
using Tensor = ValueId;

// Builds a network layer by layer and checks every shape when it is added.
//
// Callers need not check each layer for errors. After the first error all calls are no-ops that return a
// placeholder tensor; finish() returns that error with the layer's name.
class Builder {
 public:
  Builder(std::string family, std::string name);

  Tensor input(std::string layer, std::string_view type, const Shape& shape,
               ElementType element = ElementType::float32);

  // A layer that is one operation.
  Tensor add(std::string layer, std::string_view type, Operation operation, std::vector<Tensor> inputs);
  // A layer that is a chain of operations.
  Tensor chain(std::string layer, std::string_view type, std::vector<Operation> operations, Tensor input);

  // A layer with any other structure. All operations put until the next layer belong to it.
  void open(std::string layer, std::string_view type);
  Tensor put(Operation operation, std::vector<Tensor> inputs);
  Tensor put_input(const Shape& shape, ElementType element = ElementType::float32);
  // Splits a tensor along an axis.
  std::vector<Tensor> put_split(Tensor input, std::int64_t axis, const std::vector<std::int64_t>& sizes);

  // Like put, but supports several outputs and returns the error to the caller.
  struct PutOptions {
    std::optional<std::vector<Weight>> weights;  // default: weights_of the operation
    std::vector<ElementType> types;              // of the outputs; default: that of the first input
  };
  Result<std::vector<Tensor>> try_put(Operation operation, std::vector<Tensor> inputs, PutOptions options);

  // While set, added layers exist in training only.
  void set_training_only(bool training_only) { training_only_ = training_only; }

  // "conv2d", then "conv2d_1", "conv2d_2", ...
  std::string numbered(std::string_view stem);

  const Shape& shape(Tensor tensor) const { return network_.values[tensor].shape; }
  std::int64_t channels(Tensor tensor) const { return shape(tensor)[1].size; }
  ElementType element(Tensor tensor) const { return network_.values[tensor].type; }

  bool failed() const { return failure_.has_value(); }
  // Records an error that the caller detected.
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
