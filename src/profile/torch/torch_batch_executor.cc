#include "profile/torch/torch_batch_executor.h"

#include <algorithm>

#include "base/contract.h"
#include "profile/torch/inference.h"
#include "profile/torch/work.h"

namespace ergon::profile::torch {
namespace {

// A view with these sizes: narrowed in every dimension that differs.
at::Tensor part_of(const at::Tensor& whole, const std::vector<std::int64_t>& sizes) {
  at::Tensor part = whole;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != whole.size(static_cast<std::int64_t>(i)))
      part = part.narrow(static_cast<std::int64_t>(i), 0, sizes[i]);
  }
  return part;
}

}  // namespace

TorchBatchExecutor::TorchBatchExecutor(graph::Network network, const RunCondition& condition,
                                       const PrepareOptions& how, Backend& backend, Clock& clock)
    : network_(std::move(network)), condition_(condition), how_(how), backend_(backend), clock_(clock) {}

Result<std::unique_ptr<TorchBatchExecutor>> TorchBatchExecutor::open(graph::Network network,
                                                                     const RunCondition& condition,
                                                                     const PrepareOptions& how,
                                                                     Backend& backend, Clock& clock) {
  ERGON_EXPECTS(condition.mode == graph::Mode::inference);
  std::unique_ptr<TorchBatchExecutor> executor(
      new TorchBatchExecutor(std::move(network), condition, how, backend, clock));
  if (auto ready = executor->set_up(); !ready) return ready.error();
  return executor;
}

TorchBatchExecutor::~TorchBatchExecutor() {
  try {
    backend_.finish();
  } catch (const std::exception&) {
    // The device is lost; the next call reports it.
  }
}

Result<> TorchBatchExecutor::set_up() {
  auto largest = Program::compile(network_, how_.content, condition_);
  if (!largest) return largest.error();
  choose_arithmetic(condition_.precision);
  at::manual_seed(how_.seed);
  const ModeGuard guard(condition_.mode);
  const TensorConfig config{backend_.device(), condition_};
  weights_ = make_weights(*largest, config);
  registers_ = largest->registers();
  inputs_[0] = make_inputs(*largest, config);
  for (const at::Tensor& each : inputs_[0]) {
    host_inputs_.push_back(backend_.staged(each));
    inputs_[1].push_back(each.clone());
    if (how_.launch == Launch::replay) recorded_inputs_.push_back(each.clone());
  }
  const auto sized = compiled_for(condition_.batch);
  if (!sized) return sized.error();
  begin(**sized);
  backend_.finish();
  return {};
}

Result<TorchBatchExecutor::CompiledBatch*> TorchBatchExecutor::compiled_for(std::int64_t batch) {
  const auto found = compiled_.find(batch);
  if (found != compiled_.end()) return &found->second;
  RunCondition condition = condition_;
  condition.batch = batch;
  auto program = Program::compile(network_, how_.content, condition);
  if (!program) return program.error();
  CompiledBatch sized{std::move(*program), nullptr};
  if (how_.launch == Launch::replay) {
    // All recordings share the memory of the first, that of the largest batch: they never run concurrently.
    const auto inputs = parts_of(recorded_inputs_, sized.program);
    sized.recording = backend_.record(
        [&] {
          const ModeGuard guard(condition_.mode);
          compute(sized.program, inputs);
          for (at::Tensor& value : registers_.values) value.reset();
        },
        first_recording_);
    if (!sized.recording) return fail(Errc::unsupported, "--replay is not supported on a processor");
    if (first_recording_ == nullptr) first_recording_ = sized.recording.get();
  }
  return &compiled_.emplace(batch, std::move(sized)).first->second;
}

std::vector<at::Tensor> TorchBatchExecutor::parts_of(const std::vector<at::Tensor>& whole,
                                                     const Program& program) {
  std::vector<at::Tensor> parts;
  for (std::size_t i = 0; i < whole.size(); ++i)
    parts.push_back(part_of(whole[i], program.inputs()[i].sizes));
  return parts;
}

void TorchBatchExecutor::compute(const Program& program, const std::vector<at::Tensor>& inputs) {
  registers_.weights = &weights_;
  for (std::size_t i = 0; i < inputs.size(); ++i) registers_.values[program.inputs()[i].value] = inputs[i];
  program.run(registers_);
}

void TorchBatchExecutor::begin(const CompiledBatch& sized) {
  const auto inputs = parts_of(inputs_[next_inputs_], sized.program);
  backend_.fetch(inputs, parts_of(host_inputs_, sized.program));
  next_inputs_ = 1 - next_inputs_;
  if (!sized.recording) return compute(sized.program, inputs);
  const auto read = parts_of(recorded_inputs_, sized.program);
  for (std::size_t i = 0; i < read.size(); ++i) read[i].copy_(inputs[i], true);
  sized.recording->replay();
}

Result<std::vector<CompletedBatch>> TorchBatchExecutor::wait_for_all_but(std::size_t left) {
  constexpr Seconds kTimeout{30}, kPollInterval{2e-5};
  std::vector<CompletedBatch> completed;
  while (submitted_.size() > left) {
    const SubmittedBatch& oldest = submitted_.front();
    const Instant began = std::max(oldest.at, last_done_), waiting = clock_.now();
    while (!oldest.end->reached()) {
      if (clock_.now() - waiting > kTimeout)
        return fail(Errc::device_lost, "a batch of {} has not finished within {:.0f} s", oldest.batch,
                    kTimeout.si());
      clock_.sleep_until(clock_.now() + kPollInterval);
    }
    last_done_ = clock_.now();
    completed.push_back({oldest.batch, began, last_done_});
    submitted_.pop_front();
  }
  return completed;
}

Result<std::vector<CompletedBatch>> TorchBatchExecutor::submit(std::int64_t batch) {
  ERGON_EXPECTS(batch >= 1 && batch <= condition_.batch);
  try {
    const ModeGuard guard(condition_.mode);
    const auto sized = compiled_for(batch);
    if (!sized) return sized.error();
    const Instant submitted = clock_.now();
    begin(**sized);
    submitted_.push_back({batch, submitted, backend_.mark()});
    // The buffer for the next inputs belongs to the previous batch, which is done after this wait.
    return wait_for_all_but(1);
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::vector<CompletedBatch>> TorchBatchExecutor::finish() {
  try {
    return wait_for_all_but(0);
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::vector<at::Tensor>> TorchBatchExecutor::outputs_for(std::int64_t batch) {
  if (auto completed = submit(batch); !completed) return completed.error();
  if (auto completed = finish(); !completed) return completed.error();
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : compiled_.at(batch).program.outputs())
    outputs.push_back(registers_.values[value]);
  return outputs;
}

}  // namespace ergon::profile::torch
