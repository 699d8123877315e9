#include <ATen/ops/cat.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/rnn_relu.h>
#include <ATen/ops/rnn_tanh.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <cctype>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using graph::RecurrentCell;

struct Plan {
  std::size_t in = 0;
  std::vector<std::size_t> out;
  std::size_t first_weight = 0;
  std::size_t weights = 0;
  graph::Recurrent op;
  bool relu = false;
  bool backwards = false;      // one direction, from the last step to the first
  bool resets_before = false;  // a GRU whose reset gate is applied before the state matrix, not after
  bool training = false;
  Constant hidden, cell;  // initial states; undefined: zeros
};

// Outputs in ATen's order: every step (steps, batch, directions * hidden) and the last states (directions,
// batch, hidden).
struct States {
  at::Tensor steps, hidden, cell;
};

at::Tensor start(Constant& given, const Plan& p, const at::Tensor& x) {
  if (given.host().defined()) return given.matching(x);
  return at::zeros({p.op.directions, x.size(1), p.op.hidden}, x.options());
}

States run(Plan& p, const at::Tensor& x, const std::vector<at::Tensor>& weights) {
  const at::Tensor hidden = start(p.hidden, p, x);
  const bool both = p.op.directions == 2;
  if (p.op.cell == RecurrentCell::lstm) {
    const std::vector<at::Tensor> states{hidden, start(p.cell, p, x)};
    auto [steps, last, cell] = at::lstm(x, states, weights, p.op.bias, 1, 0.0, p.training, both, false);
    return {steps, last, cell};
  }
  if (p.op.cell == RecurrentCell::gru) {
    auto [steps, last] = at::gru(x, hidden, weights, p.op.bias, 1, 0.0, p.training, both, false);
    return {steps, last, {}};
  }
  auto [steps, last] = p.relu ? at::rnn_relu(x, hidden, weights, p.op.bias, 1, 0.0, p.training, both, false)
                              : at::rnn_tanh(x, hidden, weights, p.op.bias, 1, 0.0, p.training, both, false);
  return {steps, last, {}};
}

// One direction of a GRU that applies the reset gate before the state matrix, which ATen lacks.
// Weights: input matrix, state matrix, their biases; gates: reset, update, hidden.
std::pair<at::Tensor, at::Tensor> walk(const at::Tensor& x, at::Tensor state, const at::Tensor* weights,
                                       bool bias) {
  const at::Tensor from_input = at::linear(x, weights[0], bias ? weights[2] : at::Tensor());
  const std::int64_t hidden = state.size(-1);
  const auto gates = weights[1].narrow(0, 0, 2 * hidden);
  const auto proposal = weights[1].narrow(0, 2 * hidden, hidden);
  const at::Tensor gates_bias = bias ? weights[3].narrow(0, 0, 2 * hidden) : at::Tensor();
  const at::Tensor proposal_bias = bias ? weights[3].narrow(0, 2 * hidden, hidden) : at::Tensor();
  std::vector<at::Tensor> steps;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const at::Tensor seen = from_input.select(0, t);
    const at::Tensor both = seen.narrow(1, 0, 2 * hidden).add(at::linear(state, gates, gates_bias)).sigmoid();
    const at::Tensor reset = both.narrow(1, 0, hidden);
    const at::Tensor update = both.narrow(1, hidden, hidden);
    const at::Tensor next =
        seen.narrow(1, 2 * hidden, hidden).add(at::linear(reset.mul(state), proposal, proposal_bias)).tanh();
    state = next.add(update.mul(state.sub(next)));
    steps.push_back(state);
  }
  return {at::stack(steps, 0), state};
}

States walk_all(Plan& p, const at::Tensor& x, const std::vector<at::Tensor>& weights) {
  const at::Tensor hidden = start(p.hidden, p, x);
  const std::size_t each = weights.size() / static_cast<std::size_t>(p.op.directions);
  auto [steps, last] = walk(x, hidden.select(0, 0), weights.data(), p.op.bias);
  if (p.op.directions == 1) return {steps, last.unsqueeze(0), {}};
  auto [back, first] = walk(x.flip(0), hidden.select(0, 1), weights.data() + each, p.op.bias);
  const std::vector<at::Tensor> ways{steps, back.flip(0)};
  const std::vector<at::Tensor> ends{last, first};
  return {at::cat(ways, -1), at::stack(ends, 0), {}};
}

void compute(Plan& p, Registers& r) {
  at::Tensor x = r.values[p.in];
  if (p.op.batch_first) x = x.transpose(0, 1);
  if (p.backwards) x = x.flip(0);
  const auto first = r.weights->begin() + static_cast<std::ptrdiff_t>(p.first_weight);
  const std::vector<at::Tensor> weights(first, first + static_cast<std::ptrdiff_t>(p.weights));
  States states = p.resets_before ? walk_all(p, x, weights) : run(p, x, weights);
  at::Tensor steps = p.backwards ? states.steps.flip(0) : states.steps;
  // ONNX has a dimension for directions: (steps, directions, batch, hidden) or (batch, steps, directions,
  // hidden).
  steps = steps.reshape({x.size(0), x.size(1), p.op.directions, p.op.hidden});
  r.values[p.out[0]] = p.op.batch_first ? steps.transpose(0, 1) : steps.transpose(1, 2);
  const auto last = [&](const at::Tensor& state) { return p.op.batch_first ? state.transpose(0, 1) : state; };
  if (p.out.size() > 1) r.values[p.out[1]] = last(states.hidden);
  if (p.out.size() > 2 && states.cell.defined()) r.values[p.out[2]] = last(states.cell);
}

Result<Constant> initial_state(const NodeView& view, std::size_t operand, bool batch_first) {
  if (!has_operand(view, operand)) return Constant();
  const auto* stored = constant_of(view, operand);
  if (stored == nullptr) return unsupported(view, "a computed initial state is not supported");
  auto tensor = to_tensor(*stored);
  if (!tensor) return tensor.error();
  if (batch_first) *tensor = tensor->transpose(0, 1).contiguous();
  const Sizes input = input_sizes(view);
  const std::int64_t batch = input[batch_first ? 0 : 1];
  if (tensor->dim() == 3 && tensor->size(1) == 1 && batch != 1) {
    *tensor = tensor->expand({tensor->size(0), batch, tensor->size(2)}).contiguous();
  }
  if (tensor->dim() != 3 || tensor->size(1) != batch)
    return unsupported(view, "the initial states have another batch");
  return Constant(std::move(*tensor));
}

// The activations as listed in the file, "Sigmoid,Tanh,Tanh", in lower case.
std::string activations_of(const NodeView& view) {
  std::string names(word_of(view, "activations", ""));
  std::erase_if(names, [](char c) { return c == ' '; });
  std::ranges::transform(names, names.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names;
}

Result<bool> is_relu(const NodeView& view, const graph::Recurrent& op) {
  const std::string names = activations_of(view);
  if (names.empty()) return false;
  const auto repeated = [&](const std::string& once) {
    return names == once || (op.directions == 2 && names == once + "," + once);
  };
  if (op.cell == RecurrentCell::simple) {
    if (repeated("relu")) return true;
    if (repeated("tanh")) return false;
  } else if (repeated(op.cell == RecurrentCell::lstm ? "sigmoid,tanh,tanh" : "sigmoid,tanh")) {
    return false;
  }
  return unsupported(view, fmt::format("activations {} are not supported", names));
}

Result<> check(const NodeView& view, const graph::Recurrent& op) {
  if (number_of(view, "clip", 0) != 0) return unsupported(view, "clip is not supported");
  if (integer_of(view, "input_forget", 0) != 0) return unsupported(view, "coupled gates are not supported");
  if (has_operand(view, 7)) return unsupported(view, "peepholes are not supported");
  if (!has_operand(view, 4)) return {};
  const auto* stored = constant_of(view, 4);
  const std::int64_t steps = input_sizes(view)[op.batch_first ? 1 : 0];
  const Sizes lengths = stored != nullptr ? integers_in(*stored) : Sizes{-1};
  const bool full = std::ranges::all_of(lengths, [&](std::int64_t length) { return length == steps; });
  if (!full) return unsupported(view, "sequences of different lengths are not supported");
  return {};
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Recurrent& op) {
  if (const auto good = check(view, op); !good) return good.error();
  for (const WeightOperand& operand : weight_operands_of(view)) {
    if (operand.input_index) return unsupported(view, "computed weights are not supported");
  }
  const auto relu = is_relu(view, op);
  if (!relu) return relu.error();
  auto hidden = initial_state(view, 5, op.batch_first);
  if (!hidden) return hidden.error();
  auto cell = initial_state(view, 6, op.batch_first);
  if (!cell) return cell.error();
  Plan plan;
  plan.in = input_id(view, 0);
  plan.out.assign(view.node.outputs.begin(), view.node.outputs.end());
  plan.first_weight = view.first_weight;
  plan.weights = static_cast<std::size_t>(op.directions) * (op.bias ? 4 : 2);
  plan.op = op;
  plan.relu = *relu;
  plan.backwards = word_of(view, "direction", "forward") == "reverse";
  plan.resets_before = op.cell == RecurrentCell::gru && view.content != nullptr &&
                       integer_of(view, "linear_before_reset", 0) == 0;
  plan.training = trains(view);
  plan.hidden = std::move(*hidden);
  plan.cell = std::move(*cell);
  return Kernel([plan = std::move(plan)](Registers& r) mutable { compute(plan, r); });
}

}  // namespace ergon::profile::torch
