#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "profile/engine.h"
#include "profile/torch/backend.h"
#include "profile/torch/instance.h"

namespace ergon::profile::torch {

// The error that an exception of ATen stands for.
Error error_of(const std::exception& thrown);

// A program with allocated tensors.
//
// An operation is run by several instances in rotation. In training, several forward passes are followed by
// one backward call for all of them. A backward call per operation would cost more than a small operation,
// and in a network one call covers all operations.
class TorchWork final : public PreparedWork {
 public:
  // Throws exceptions of ATen.
  TorchWork(Program program, Backend& backend, Clock& clock, const RunCondition& condition,
            const PrepareOptions& preparation);
  ~TorchWork() override;

  Result<TimedRun> run(std::int64_t iterations) override;
  Result<std::optional<Seconds>> host_time() override;
  std::int64_t instances() const override { return copies_; }

  // One forward pass of the first instance with these inputs, for tests.
  std::vector<at::Tensor> outputs_for(const std::vector<at::Tensor>& inputs);

 private:
  // Inputs and weights of one iteration. Sets may share memory but have separate gradients.
  struct TensorSet {
    std::vector<at::Tensor> inputs, weights;
  };

  TensorSet make_tensor_set(const TensorSet& model) const;
  void make_tensor_sets(bool block);
  void forward(const TensorSet& set);
  void pass();
  void infer();
  void train();
  void launch(std::int64_t iterations);
  void record();

  Program program_;
  Backend& backend_;
  Clock& clock_;
  RunCondition condition_;
  bool input_gradient_;
  std::int64_t copies_ = 1;
  std::vector<TensorSet> tensor_sets_;
  std::vector<at::Tensor> output_gradients_;
  Registers registers_;
  std::size_t next_ = 0;        // next tensor set
  std::int64_t per_pass_ = 1;   // iterations in a pass
  std::int64_t recorded_ = 1;   // passes in a recording
  Seconds time_per_iteration_;  // of the last run
  std::unique_ptr<Recording> recording_;
};

}  // namespace ergon::profile::torch
