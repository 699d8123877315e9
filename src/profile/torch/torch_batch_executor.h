#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "graph/network.h"
#include "profile/batch_executor.h"
#include "profile/engine.h"
#include "profile/torch/backend.h"
#include "profile/torch/instance.h"

namespace ergon::profile::torch {

// Runs a network with batches of changing size. Weights are allocated once. Inputs are in pinned host memory
// and are copied to the device while it runs the previous batch (double buffering). The program for a batch
// size is compiled at its first use, which takes a few milliseconds; with Launch::replay it is also recorded,
// which takes as long as a few batches.
class TorchBatchExecutor final : public BatchExecutor {
 public:
  // `how.content` outlives the object. Runs the largest batch once to allocate its memory. Throws exceptions
  // of ATen. Errors: unsupported.
  static Result<std::unique_ptr<TorchBatchExecutor>> open(graph::Network network,
                                                          const RunCondition& condition,
                                                          const PrepareOptions& how, Backend& backend,
                                                          Clock& clock);

  ~TorchBatchExecutor() override;
  Result<std::vector<CompletedBatch>> submit(std::int64_t batch) override;
  Result<std::vector<CompletedBatch>> finish() override;

  // Outputs for the first `batch` inputs, for tests.
  Result<std::vector<at::Tensor>> outputs_for(std::int64_t batch);

 private:
  TorchBatchExecutor(graph::Network network, const RunCondition& condition, const PrepareOptions& how,
                     Backend& backend, Clock& clock);

  struct CompiledBatch {
    Program program;
    std::unique_ptr<Recording> recording;
  };

  Result<CompiledBatch*> compiled_for(std::int64_t batch);
  Result<> set_up();
  // Views of the tensors of the largest batch with the program's sizes.
  static std::vector<at::Tensor> parts_of(const std::vector<at::Tensor>& whole, const Program& program);
  void compute(const Program& program, const std::vector<at::Tensor>& inputs);
  void begin(const CompiledBatch& sized);
  // Waits until at most `left` batches are submitted and not done.
  Result<std::vector<CompletedBatch>> wait_for_all_but(std::size_t left);

  struct SubmittedBatch {
    std::int64_t batch;
    Instant at;
    std::unique_ptr<DeviceEvent> end;
  };

  graph::Network network_;
  RunCondition condition_;
  PrepareOptions how_;
  Backend& backend_;
  Clock& clock_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> host_inputs_;
  std::vector<at::Tensor> inputs_[2];
  std::vector<at::Tensor> recorded_inputs_;  // inputs of the recordings
  std::size_t next_inputs_ = 0;              // index of the buffer for the next inputs
  Registers registers_;
  std::map<std::int64_t, CompiledBatch> compiled_;
  const Recording* first_recording_ = nullptr;
  std::deque<SubmittedBatch> submitted_;
  Instant last_done_;
};

}  // namespace ergon::profile::torch
