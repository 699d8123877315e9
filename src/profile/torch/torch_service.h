#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "graph/network.h"
#include "profile/engine.h"
#include "profile/service.h"
#include "profile/torch/backend.h"
#include "profile/torch/instance.h"

namespace ergon::profile::torch {

// A network whose batch may be another one each time. Weights are made once. Inputs lie in the host's memory
// and come to the device while it works on those before them, by turns into two places. A program for another
// batch is compiled when it is first asked for, which takes the host a few milliseconds; where calls are to
// be replayed, it is recorded as well, which takes as long as a few batches.
class TorchService final : public Service {
 public:
  // The numbers that the file brought, if any, outlive it. Runs the largest batch once, so that its memory is
  // there. Throws what ATen throws. Errors: unsupported.
  static Result<std::unique_ptr<TorchService>> open(graph::Network network, const Condition& condition,
                                                    const Preparation& how, Backend& backend, Clock& clock);

  ~TorchService() override;
  Result<std::vector<Answer>> ask(std::int64_t batch) override;
  Result<std::vector<Answer>> finish() override;

  // What the network makes of the first so many of its inputs, for those who want to see.
  Result<std::vector<at::Tensor>> outputs_for(std::int64_t batch);

 private:
  TorchService(graph::Network network, const Condition& condition, const Preparation& how, Backend& backend,
               Clock& clock);

  struct Sized {
    Program program;
    std::unique_ptr<Recording> recording;
  };

  Result<Sized*> sized_for(std::int64_t batch);
  Result<> set_up();
  // Its part of tensors that are made for the largest batch.
  static std::vector<at::Tensor> parts_of(const std::vector<at::Tensor>& whole, const Program& program);
  void compute(const Program& program, const std::vector<at::Tensor>& inputs);
  void begin(const Sized& sized);
  // Until no more than so many are under way.
  Result<std::vector<Answer>> wait_for_all_but(std::size_t left);

  struct Asked {
    std::int64_t batch;
    Instant at;
    std::unique_ptr<Mark> end;
  };

  graph::Network network_;
  Condition condition_;
  Preparation how_;
  Backend& backend_;
  Clock& clock_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> host_inputs_;
  std::vector<at::Tensor> inputs_[2];
  std::vector<at::Tensor> recorded_inputs_;  // that recordings read
  std::size_t place_ = 0;                    // of the inputs that come next
  Registers registers_;
  std::map<std::int64_t, Sized> sized_;
  const Recording* first_recording_ = nullptr;
  std::deque<Asked> under_way_;
  Instant last_done_;
};

}  // namespace ergon::profile::torch
