#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "profile/condition.h"
#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// What a network reads.
struct InputPlan {
  graph::ValueId value = 0;
  std::vector<std::int64_t> sizes;
  graph::ElementType type = graph::ElementType::float32;
  bool image = false;
  std::int64_t below = 2;  // integers: each is less, so that it points to something
};

// A network compiled into calls of ATen, in their order. Tensors are let go after their last reader, as a
// framework does.
class Program {
 public:
  // With content every operation is run by itself, with the file's own numbers; without, an attention is one
  // call and activations overwrite their inputs where torchvision's do. `part`: a step cut out of its
  // network, whose input may be overwritten by what changes nothing the second time. Errors: unsupported,
  // naming all operations that cannot be run.
  static Result<Program> compile(const graph::Network& network, const graph::Content* content,
                                 const Condition& condition, bool part = false);

  const std::vector<InputPlan>& inputs() const { return inputs_; }
  const std::vector<WeightPlan>& weights() const { return weights_; }
  // Results of the network; in training, those of heads that exist there only too.
  const std::vector<graph::ValueId>& outputs() const { return outputs_; }
  std::size_t calls() const { return calls_.size(); }

  // One pass. Inputs stand in their registers before, outputs behind.
  void run(Registers& registers) const;
  Registers registers() const;

 private:
  struct Call {
    Kernel kernel;
    std::vector<graph::ValueId> released;  // nobody reads them any more
  };
  class Compiler;

  std::size_t values_ = 0;
  std::vector<InputPlan> inputs_;
  std::vector<WeightPlan> weights_;
  std::vector<graph::ValueId> outputs_;
  std::vector<Call> calls_;
};

}  // namespace ergon::profile::torch
