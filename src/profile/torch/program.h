#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "profile/run_condition.h"
#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// An input of a network.
struct InputPlan {
  graph::ValueId value = 0;
  std::vector<std::int64_t> sizes;
  graph::ElementType type = graph::ElementType::float32;
  bool image = false;
  std::int64_t below = 2;  // upper bound of integers, so that indices are valid
};

// A network compiled into a sequence of ATen calls. Tensors are released after their last use, as in PyTorch.
class Program {
 public:
  // With content, every operation is a separate call with the values of the file. Without, an attention is
  // one call, and activations are in place where torchvision's are. `part`: the network is a single step,
  // whose input may be overwritten by idempotent operations. Errors: unsupported, naming all unsupported
  // operations.
  static Result<Program> compile(const graph::Network& network, const graph::Content* content,
                                 const RunCondition& condition, bool part = false);

  const std::vector<InputPlan>& inputs() const { return inputs_; }
  const std::vector<WeightPlan>& weights() const { return weights_; }
  // Outputs of the network; in training, including those of training-only heads.
  const std::vector<graph::ValueId>& outputs() const { return outputs_; }
  std::size_t calls() const { return calls_.size(); }

  // One forward pass. Reads the inputs from the registers and leaves the outputs there.
  void run(Registers& registers) const;
  Registers registers() const;

 private:
  struct Call {
    Kernel kernel;
    std::vector<graph::ValueId> released;  // values without later readers
  };
  class Compiler;

  std::size_t values_ = 0;
  std::vector<InputPlan> inputs_;
  std::vector<WeightPlan> weights_;
  std::vector<graph::ValueId> outputs_;
  std::vector<Call> calls_;
};

}  // namespace ergon::profile::torch
