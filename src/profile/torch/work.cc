#include "profile/torch/work.h"

#include <ATen/ops/randn_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <optional>
#include <torch/csrc/autograd/autograd.h>

#include "profile/torch/inference.h"

namespace ergon::profile::torch {
namespace {

// Calls in a recording: so many that replaying it costs the host next to nothing.
constexpr std::int64_t kRecordedCalls = 128;
// Iterations of one operation that go back together, and the memory that they may keep until then.
constexpr std::int64_t kMostTogether = 32;
constexpr double kKeptOnGpu = 1024 * 1048576.0, kKeptOnProcessor = 64 * 1048576.0;

double bytes_of(const std::vector<at::Tensor>& tensors) {
  double bytes = 0;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.defined()) bytes += static_cast<double>(tensor.nbytes());
  }
  return bytes;
}

}  // namespace

Error error_of(const std::exception& thrown) {
  const std::string_view whole = thrown.what();
  const std::string_view line = whole.substr(0, whole.find('\n'));
  const auto says = [&](std::string_view words) { return whole.find(words) != std::string_view::npos; };
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr || says("out of memory") ||
      says("can't allocate memory") || says("_ALLOC_FAILED") || says("valid cuDNN algorithm")) {
    return fail(Errc::out_of_memory, "{}", line);
  }
  // After these a GPU does nothing more for this process.
  for (const std::string_view end :
       {"illegal memory access", "misaligned address", "launch failure", "device-side assert", "ECC error",
        "illegal instruction", "is busy or", "hardware stack error", "no longer available", "GPU is lost"}) {
    if (says("CUDA error") && says(end)) return fail(Errc::device_lost, "{}", line);
  }
  if (says("not implemented") || says("not supported")) return fail(Errc::unsupported, "{}", line);
  return fail(Errc::io, "{}", line);
}

TorchWork::TorchWork(Program program, Backend& backend, Clock& clock, const Condition& condition,
                     const Preparation& preparation)
    : program_(std::move(program)),
      backend_(backend),
      clock_(clock),
      condition_(condition),
      input_gradient_(condition.mode == graph::Mode::training && preparation.input_gradient),
      registers_(program_.registers()) {
  choose_arithmetic(condition.precision);
  at::manual_seed(preparation.seed);
  {
    const ModeGuard guard(condition.mode);
    choose_turns(preparation.block);
  }
  if (preparation.launch == Launch::replay) record();
  backend_.finish();
}

TorchWork::~TorchWork() = default;

// The same memory with gradients of its own.
TorchWork::Turn TorchWork::make_turn(const Turn& model) const {
  Turn turn = model;
  for (at::Tensor& weight : turn.weights) {
    if (weight.requires_grad()) weight = weight.detach().set_requires_grad(true);
  }
  if (!input_gradient_) return turn;
  for (at::Tensor& input : turn.inputs) {
    if (input.is_floating_point()) input = input.detach().set_requires_grad(true);
  }
  return turn;
}

void TorchWork::choose_turns(bool block) {
  const Making making{backend_.device(), condition_};
  if (block) copies_ = instances_for(Bytes{bytes_of_weights(program_, making)}, backend_.cache());
  const std::vector<at::Tensor> inputs = make_inputs(program_, making);
  for (std::int64_t i = 0; i < copies_; ++i)
    turns_.push_back(make_turn({inputs, make_weights(program_, making)}));
  if (condition_.mode == graph::Mode::inference || !block) return;

  forward(turns_[0]);
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : program_.outputs())
    outputs.push_back(std::move(registers_.values[value]));
  // What goes forth is kept until it comes back, and so is its gradient.
  const double each = 2 * (bytes_of(inputs) + bytes_of(outputs)) + 1;
  const double kept = backend_.asynchronous() ? kKeptOnGpu : kKeptOnProcessor;
  per_pass_ = static_cast<std::int64_t>(std::clamp(kept / each, 1.0, static_cast<double>(kMostTogether)));
  // Enough turns that none stands twice in a pass.
  const std::size_t models = turns_.size();
  const std::size_t wanted = std::max<std::size_t>(models, static_cast<std::size_t>(per_pass_));
  for (std::size_t i = models; i < wanted; ++i) turns_.push_back(make_turn(turns_[i % models]));
}

void TorchWork::forward(const Turn& turn) {
  registers_.weights = &turn.weights;
  for (std::size_t i = 0; i < turn.inputs.size(); ++i)
    registers_.values[program_.inputs()[i].value] = turn.inputs[i];
  program_.run(registers_);
}

void TorchWork::infer() {
  forward(turns_[next_]);
  next_ = next_ + 1 == turns_.size() ? 0 : next_ + 1;
}

void TorchWork::train() {
  const std::size_t first = next_;
  std::vector<at::Tensor> outputs;
  for (std::int64_t i = 0; i < per_pass_; ++i) {
    forward(turns_[next_]);
    next_ = next_ + 1 == turns_.size() ? 0 : next_ + 1;
    for (const graph::ValueId value : program_.outputs()) {
      at::Tensor& output = registers_.values[value];
      if (output.defined() && output.requires_grad()) outputs.push_back(output);
      output.reset();
    }
  }
  if (outputs.empty()) return;
  if (output_gradients_.size() < outputs.size()) {
    const at::NoGradGuard plain;
    const std::size_t each = outputs.size() / static_cast<std::size_t>(per_pass_);
    for (std::size_t i = output_gradients_.size(); i < outputs.size(); ++i)
      output_gradients_.push_back(i < each ? at::randn_like(outputs[i]) : output_gradients_[i % each]);
  }
  ::torch::autograd::backward(outputs, output_gradients_);
  for (std::int64_t i = 0; i < per_pass_; ++i) {
    const Turn& turn = turns_[(first + static_cast<std::size_t>(i)) % turns_.size()];
    for (const at::Tensor& weight : turn.weights) weight.mutable_grad().reset();
    if (!input_gradient_) continue;
    for (const at::Tensor& input : turn.inputs) input.mutable_grad().reset();
  }
}

void TorchWork::pass() {
  if (condition_.mode == graph::Mode::training) {
    train();
  } else {
    infer();
  }
}

void TorchWork::ask_for(std::int64_t iterations) {
  const ModeGuard guard(condition_.mode);
  const std::int64_t passes = iterations / per_pass_;
  if (recording_) {
    for (std::int64_t done = 0; done < passes; done += recorded_) recording_->replay();
  } else {
    for (std::int64_t done = 0; done < passes; ++done) pass();
  }
}

void TorchWork::record() {
  const auto calls = static_cast<std::int64_t>(program_.calls()) * per_pass_ + 1;
  const auto round = static_cast<std::int64_t>(turns_.size()) / per_pass_;  // passes until all had a turn
  recorded_ = std::max<std::int64_t>(1, round) * std::max<std::int64_t>(1, kRecordedCalls / (calls * round));
  recording_ = backend_.record([this] {
    const ModeGuard guard(condition_.mode);
    for (std::int64_t i = 0; i < recorded_; ++i) pass();
  });
  if (!recording_) throw std::runtime_error("replaying is not supported on a processor");
}

Result<Ran> TorchWork::run(std::int64_t iterations) {
  const std::int64_t unit = per_pass_ * recorded_;
  iterations = (iterations + unit - 1) / unit * unit;
  try {
    choose_arithmetic(condition_.precision);
    backend_.finish();
    const Instant begin = clock_.now();
    ask_for(iterations);
    backend_.finish();
    const Ran ran{iterations, clock_.now() - begin};
    pace_ = ran.each();
    return ran;
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::optional<Seconds>> TorchWork::host_time() {
  if (!backend_.asynchronous()) return std::optional<Seconds>();
  // A queue takes about a thousand launches before the host has to wait for the device.
  constexpr std::int64_t kLaunches = 300;
  const std::int64_t unit = per_pass_ * recorded_;
  const std::int64_t launches = recording_ ? 1 : static_cast<std::int64_t>(program_.calls()) * 3 * unit;
  // Slow work is not asked for so often: all of it has to be waited for.
  constexpr Seconds kLong{0.002};
  const double passes = pace_ > Seconds{0} ? (kLong / (pace_ * static_cast<double>(unit))).si() : 1;
  const auto within = static_cast<std::int64_t>(std::clamp(passes, 1.0, static_cast<double>(kLaunches)));
  const std::int64_t iterations = std::clamp<std::int64_t>(kLaunches / launches, 1, within) * unit;
  const int rounds = passes < 0.1 ? 1 : 3;
  try {
    std::optional<Seconds> least;
    for (int round = 0; round < rounds; ++round) {
      backend_.finish();
      const Instant begin = clock_.now();
      ask_for(iterations);
      const Seconds each = (clock_.now() - begin) / static_cast<double>(iterations);
      least = std::min(least.value_or(each), each);
    }
    backend_.finish();
    return least;
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

std::vector<at::Tensor> TorchWork::outputs_for(const std::vector<at::Tensor>& inputs) {
  const ModeGuard guard(condition_.mode);
  turns_[0].inputs = inputs;
  forward(turns_[0]);
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : program_.outputs()) outputs.push_back(registers_.values[value]);
  return outputs;
}

}  // namespace ergon::profile::torch
