#include "profile/torch/work.h"

#include <ATen/ops/randn_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <optional>
#include <torch/csrc/autograd/autograd.h>

#include "base/si_prefixes.h"
#include "profile/torch/inference.h"

namespace ergon::profile::torch {
namespace {

// Calls per recording, so that the launch of a replay is negligible.
constexpr std::int64_t kRecordedCalls = 128;
// Iterations of one operation per backward call, and the memory that their forward passes may hold.
constexpr std::int64_t kMaxPerBackward = 32;
constexpr double kMaxBytesOnGpu = kGibi, kMaxBytesOnProcessor = 64 * kMebi;

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
  const auto contains = [&](std::string_view words) { return whole.find(words) != std::string_view::npos; };
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr || contains("out of memory") ||
      contains("can't allocate memory") || contains("_ALLOC_FAILED") || contains("valid cuDNN algorithm")) {
    return fail(Errc::out_of_memory, "{}", line);
  }
  // After these errors the CUDA context is unusable.
  for (const std::string_view end :
       {"illegal memory access", "misaligned address", "launch failure", "device-side assert", "ECC error",
        "illegal instruction", "is busy or", "hardware stack error", "no longer available", "GPU is lost"}) {
    if (contains("CUDA error") && contains(end)) return fail(Errc::device_lost, "{}", line);
  }
  if (contains("not implemented") || contains("not supported")) return fail(Errc::unsupported, "{}", line);
  return fail(Errc::io, "{}", line);
}

TorchWork::TorchWork(Program program, Backend& backend, Clock& clock, const RunCondition& condition,
                     const PrepareOptions& preparation)
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
    make_tensor_sets(preparation.block);
  }
  if (preparation.launch == Launch::replay) record();
  backend_.finish();
}

TorchWork::~TorchWork() = default;

// The same memory with separate gradients.
TorchWork::TensorSet TorchWork::make_tensor_set(const TensorSet& model) const {
  TensorSet set = model;
  for (at::Tensor& weight : set.weights) {
    if (weight.requires_grad()) weight = weight.detach().set_requires_grad(true);
  }
  if (!input_gradient_) return set;
  for (at::Tensor& input : set.inputs) {
    if (input.is_floating_point()) input = input.detach().set_requires_grad(true);
  }
  return set;
}

void TorchWork::make_tensor_sets(bool block) {
  const TensorConfig config{backend_.device(), condition_};
  if (block) copies_ = instances_for(Bytes{bytes_of_weights(program_, config)}, backend_.cache());
  const std::vector<at::Tensor> inputs = make_inputs(program_, config);
  for (std::int64_t i = 0; i < copies_; ++i)
    tensor_sets_.push_back(make_tensor_set({inputs, make_weights(program_, config)}));
  if (condition_.mode == graph::Mode::inference || !block) return;

  forward(tensor_sets_[0]);
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : program_.outputs())
    outputs.push_back(std::move(registers_.values[value]));
  // Activations and their gradients are stored until the backward pass.
  const double each = 2 * (bytes_of(inputs) + bytes_of(outputs)) + 1;
  const double max_bytes = backend_.asynchronous() ? kMaxBytesOnGpu : kMaxBytesOnProcessor;
  per_pass_ =
      static_cast<std::int64_t>(std::clamp(max_bytes / each, 1.0, static_cast<double>(kMaxPerBackward)));
  // Enough sets that none is used twice in a pass.
  const std::size_t models = tensor_sets_.size();
  const std::size_t sets = std::max<std::size_t>(models, static_cast<std::size_t>(per_pass_));
  for (std::size_t i = models; i < sets; ++i)
    tensor_sets_.push_back(make_tensor_set(tensor_sets_[i % models]));
}

void TorchWork::forward(const TensorSet& set) {
  registers_.weights = &set.weights;
  for (std::size_t i = 0; i < set.inputs.size(); ++i)
    registers_.values[program_.inputs()[i].value] = set.inputs[i];
  program_.run(registers_);
}

void TorchWork::infer() {
  forward(tensor_sets_[next_]);
  next_ = next_ + 1 == tensor_sets_.size() ? 0 : next_ + 1;
}

void TorchWork::train() {
  const std::size_t first = next_;
  std::vector<at::Tensor> outputs;
  for (std::int64_t i = 0; i < per_pass_; ++i) {
    forward(tensor_sets_[next_]);
    next_ = next_ + 1 == tensor_sets_.size() ? 0 : next_ + 1;
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
    const TensorSet& set = tensor_sets_[(first + static_cast<std::size_t>(i)) % tensor_sets_.size()];
    for (const at::Tensor& weight : set.weights) weight.mutable_grad().reset();
    if (!input_gradient_) continue;
    for (const at::Tensor& input : set.inputs) input.mutable_grad().reset();
  }
}

void TorchWork::pass() {
  if (condition_.mode == graph::Mode::training) {
    train();
  } else {
    infer();
  }
}

void TorchWork::launch(std::int64_t iterations) {
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
  const auto round =
      static_cast<std::int64_t>(tensor_sets_.size()) / per_pass_;  // passes until each set was used
  recorded_ = std::max<std::int64_t>(1, round) * std::max<std::int64_t>(1, kRecordedCalls / (calls * round));
  recording_ = backend_.record([this] {
    const ModeGuard guard(condition_.mode);
    for (std::int64_t i = 0; i < recorded_; ++i) pass();
  });
  if (!recording_) throw std::runtime_error("--replay is not supported on a processor");
}

Result<TimedRun> TorchWork::run(std::int64_t iterations) {
  const std::int64_t unit = per_pass_ * recorded_;
  iterations = (iterations + unit - 1) / unit * unit;
  try {
    choose_arithmetic(condition_.precision);
    backend_.finish();
    const Instant begin = clock_.now();
    launch(iterations);
    backend_.finish();
    const TimedRun ran{iterations, clock_.now() - begin};
    time_per_iteration_ = ran.each();
    return ran;
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

Result<std::optional<Seconds>> TorchWork::host_time() {
  if (!backend_.asynchronous()) return std::optional<Seconds>();
  // The launch queue holds about a thousand launches before the host waits for the device.
  constexpr std::int64_t kLaunches = 300;
  const std::int64_t unit = per_pass_ * recorded_;
  const std::int64_t launches = recording_ ? 1 : static_cast<std::int64_t>(program_.calls()) * 3 * unit;
  // Fewer iterations of slow work, because all of them are waited for.
  constexpr Seconds kLong{0.002};
  const double passes =
      time_per_iteration_ > Seconds{0} ? (kLong / (time_per_iteration_ * static_cast<double>(unit))).si() : 1;
  const auto within = static_cast<std::int64_t>(std::clamp(passes, 1.0, static_cast<double>(kLaunches)));
  const std::int64_t iterations = std::clamp<std::int64_t>(kLaunches / launches, 1, within) * unit;
  const int rounds = passes < 0.1 ? 1 : 3;
  try {
    std::optional<Seconds> min;
    for (int round = 0; round < rounds; ++round) {
      backend_.finish();
      const Instant begin = clock_.now();
      launch(iterations);
      const Seconds each = (clock_.now() - begin) / static_cast<double>(iterations);
      min = std::min(min.value_or(each), each);
    }
    backend_.finish();
    return min;
  } catch (const std::exception& thrown) {
    return error_of(thrown);
  }
}

std::vector<at::Tensor> TorchWork::outputs_for(const std::vector<at::Tensor>& inputs) {
  const ModeGuard guard(condition_.mode);
  tensor_sets_[0].inputs = inputs;
  forward(tensor_sets_[0]);
  std::vector<at::Tensor> outputs;
  for (const graph::ValueId value : program_.outputs()) outputs.push_back(registers_.values[value]);
  return outputs;
}

}  // namespace ergon::profile::torch
