#include "profile/torch/torch_service.h"

#include <algorithm>

#include "base/contract.h"
#include "profile/torch/inference.h"
#include "profile/torch/work.h"

namespace ergon::profile::torch {
namespace {

// The part that a smaller batch needs: shorter in every direction in which the sizes differ.
at::Tensor part_of(const at::Tensor& whole, const std::vector<std::int64_t>& sizes) {
  at::Tensor part = whole;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != whole.size(static_cast<std::int64_t>(i)))
      part = part.narrow(static_cast<std::int64_t>(i), 0, sizes[i]);
  }
  return part;
}

}  // namespace

TorchService::TorchService(graph::Network network, const Condition& condition, const Preparation& how,
                           Backend& backend, Clock& clock)
    : network_(std::move(network)), condition_(condition), how_(how), backend_(backend), clock_(clock) {}

Result<std::unique_ptr<TorchService>> TorchService::open(graph::Network network, const Condition& condition,
                                                         const Preparation& how, Backend& backend,
                                                         Clock& clock) {
  ERGON_EXPECTS(condition.mode == graph::Mode::inference);
  std::unique_ptr<TorchService> service(new TorchService(std::move(network), condition, how, backend, clock));
  if (auto ready = service->set_up(); !ready) return ready.error();
  return service;
}

TorchService::~TorchService() {
  try {
    backend_.finish();
  } catch (const std::exception&) {
    // The device is gone; whoever asks it next will hear of that.
  }
}

Result<> TorchService::set_up() {
  auto largest = Program::compile(network_, how_.content, condition_);
  if (!largest) return largest.error();
  choose_arithmetic(condition_.precision);
  at::manual_seed(how_.seed);
  const ModeGuard guard(condition_.mode);
  const Making making{backend_.device(), condition_};
  weights_ = make_weights(*largest, making);
  registers_ = largest->registers();
  inputs_[0] = make_inputs(*largest, making);
  for (const at::Tensor& each : inputs_[0]) {
    host_inputs_.push_back(backend_.staged(each));
    inputs_[1].push_back(each.clone());
    if (how_.launch == Launch::replay) recorded_inputs_.push_back(each.clone());
  }
  const auto sized = sized_for(condition_.batch);
  if (!sized) return sized.error();
  begin(**sized);
  backend_.finish();
  return {};
}

Result<TorchService::Sized*> TorchService::sized_for(std::int64_t batch) {
  const auto known = sized_.find(batch);
  if (known != sized_.end()) return &known->second;
  Condition condition = condition_;
  condition.batch = batch;
  auto program = Program::compile(network_, how_.content, condition);
  if (!program) return program.error();
  Sized sized{std::move(*program), nullptr};
  if (how_.launch == Launch::replay) {
    // The memory of the first, which is of the largest batch, does for all: they run one after the other.
    const auto inputs = parts_of(recorded_inputs_, sized.program);
    sized.recording = backend_.record(
        [&] {
          const ModeGuard guard(condition_.mode);
          compute(sized.program, inputs);
          for (at::Tensor& value : registers_.values) value.reset();
        },
        first_recording_);
    if (!sized.recording) return fail(Errc::unsupported, "replaying is not supported on a processor");
    if (first_recording_ == nullptr) first_recording_ = sized.recording.get();
  }
  return &sized_.emplace(batch, std::move(sized)).first->second;
}

std::vector<at::Tensor> TorchService::parts_of(const std::vector<at::Tensor>& whole, const Program& program) {
  std::vector<at::Tensor> parts;
  for (std::size_t i = 0; i < whole.size(); ++i)
    parts.push_back(part_of(whole[i], program.inputs()[i].sizes));
  return parts;
}

void TorchService::compute(const Program& program, const std::vector<at::Tensor>& inputs) {
  registers_.weights = &weights_;
  for (std::size_t i = 0; i < inputs.size(); ++i) registers_.values[program.inputs()[i].value] = inputs[i];
  program.run(registers_);
}

void TorchService::begin(const Sized& sized) {
  const auto inputs = parts_of(inputs_[place_], sized.program);
  backend_.fetch(inputs, parts_of(host_inputs_, sized.program));
  place_ = 1 - place_;
  if (!sized.recording) return compute(sized.program, inputs);
  const auto read = parts_of(recorded_inputs_, sized.program);
  for (std::size_t i = 0; i < read.size(); ++i) read[i].copy_(inputs[i], true);
  sized.recording->replay();
}

Result<std::vector<Answer>> TorchService::wait_for_all_but(std::size_t left) {
  constexpr Seconds kTooLong{30}, kNap{2e-5};
  std::vector<Answer> answers;
  while (under_way_.size() > left) {
    const Asked& oldest = under_way_.front();
    const Instant began = std::max(oldest.at, last_done_), waiting = clock_.now();
    while (!oldest.end->reached()) {
      if (clock_.now() - waiting > kTooLong)
        return fail(Errc::device_lost, "a batch of {} has not ended for {:.0f} s", oldest.batch,
                    kTooLong.si());
      clock_.sleep_until(clock_.now() + kNap);
    }
    last_done_ = clock_.now();
    answers.push_back({oldest.batch, began, last_done_});
    under_way_.pop_front();
  }
  return answers;
}

Result<std::vector<Answer>> TorchService::ask(std::int64_t batch) {
  ERGON_EXPECTS(batch >= 1 && batch <= condition_.batch);
  try {
    const ModeGuard guard(condition_.mode);
    const auto sized = sized_for(batch);
    if (!sized) return sized.error();
    const Instant asked = clock_.now();
    begin(**sized);
    under_way_.push_back({batch, asked, backend_.mark()});
    // The place that the next inputs go to was read by the one before this, which is done then.
    return wait_for_all_but(1);
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::vector<Answer>> TorchService::finish() {
  try {
    return wait_for_all_but(0);
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::vector<at::Tensor>> TorchService::outputs_for(std::int64_t batch) {
  if (auto answers = ask(batch); !answers) return answers.error();
  if (auto answers = finish(); !answers) return answers.error();
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : sized_.at(batch).program.outputs())
    outputs.push_back(registers_.values[value]);
  return outputs;
}

}  // namespace ergon::profile::torch
