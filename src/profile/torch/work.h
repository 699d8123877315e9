#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "profile/engine.h"
#include "profile/torch/backend.h"
#include "profile/torch/instance.h"

namespace ergon::profile::torch {

// What an exception of ATen means.
Error error_of(const std::exception& thrown);

// A program with its tensors in their places.
//
// An operation is run by instances that take turns. In training, several go forth before all go back
// together: one call for the way back of a single small operation would cost more than the operation, and in
// a network one call serves all of them.
class TorchWork final : public Prepared {
 public:
  // Throws what ATen throws.
  TorchWork(Program program, Backend& backend, Clock& clock, const Condition& condition,
            const Preparation& preparation);
  ~TorchWork() override;

  Result<Ran> run(std::int64_t iterations) override;
  Result<std::optional<Seconds>> host_time() override;
  std::int64_t instances() const override { return copies_; }

  // One pass of the first instance over given inputs, for those who want to see what it computes.
  std::vector<at::Tensor> outputs_for(const std::vector<at::Tensor>& inputs);

 private:
  // What one iteration reads. Turns may share memory, and have gradients of their own.
  struct Turn {
    std::vector<at::Tensor> inputs, weights;
  };

  Turn make_turn(const Turn& model) const;
  void choose_turns(bool block);
  void forward(const Turn& turn);
  void pass();
  void infer();
  void train();
  void ask_for(std::int64_t iterations);
  void record();

  Program program_;
  Backend& backend_;
  Clock& clock_;
  Condition condition_;
  bool input_gradient_;
  std::int64_t copies_ = 1;
  std::vector<Turn> turns_;
  std::vector<at::Tensor> output_gradients_;
  Registers registers_;
  std::size_t next_ = 0;       // turn
  std::int64_t per_pass_ = 1;  // iterations in a pass
  std::int64_t recorded_ = 1;  // passes in a recording
  Seconds pace_;               // of the last run
  std::unique_ptr<Recording> recording_;
};

}  // namespace ergon::profile::torch
