#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

// Product of two inputs, given by index; a constant operand is a weight.
Result<Lowered> product(const NodeCall& call, std::size_t left, std::size_t right,
                        std::vector<ElementType> types) {
  const auto a = call.shape(left);
  if (!a) return a.error();
  const auto b = call.shape(right);
  if (!b) return b.error();
  const bool a_flows = !call.in(left).constant();
  const bool b_flows = !call.in(right).constant();
  if (a_flows && !b_flows && b->rank() == 2 && !b->batched()) {
    if (a->rank() == 0 || (*a)[a->rank() - 1] != (*b)[0]) {
      return fail(Errc::invalid_input, "{} cannot be multiplied by {}", to_text(*a), to_text(*b));
    }
    return Lowered{Dense{(*b)[1].size, false}, {left}, {{right, WeightRole::kernel}}, std::move(types)};
  }
  if (a_flows != b_flows) {
    const std::size_t weight = a_flows ? right : left;
    return Lowered{MatrixProduct{a_flows ? *b : *a, !a_flows},
                   {a_flows ? left : right},
                   {{weight, WeightRole::kernel}},
                   std::move(types)};
  }
  return Lowered{MatrixProduct{}, {left, right}, {}, std::move(types)};
}

Result<Lowered> matmul(const NodeCall& call) { return product(call, 0, 1, {}); }

Result<Lowered> matmul_integer(const NodeCall& call) { return product(call, 0, 1, {ElementType::int32}); }

// a, scale, zero point, b, scale, zero point, ...
Result<Lowered> matmul_quantized(const NodeCall& call) { return product(call, 0, 3, {}); }

Dim rows_of(const Shape& matrix, bool transposed) { return transposed ? matrix[1] : matrix[0]; }

Result<Lowered> gemm(const NodeCall& call) {
  const auto a = call.shape(0);
  if (!a) return a.error();
  const auto b = call.shape(1);
  if (!b) return b.error();
  if (a->rank() != 2 || b->rank() != 2) {
    return fail(Errc::invalid_input, "Gemm takes matrices, got {} and {}", to_text(*a), to_text(*b));
  }
  const bool transpose_a = call.integer("transA", 0) != 0;
  const bool transpose_b = call.integer("transB", 0) != 0;
  const Dim inner = transpose_a ? (*a)[0] : (*a)[1];
  const Dim rows = transpose_b ? (*b)[1] : (*b)[0];
  const Dim columns = transpose_b ? (*b)[0] : (*b)[1];
  if (inner != rows) {
    return fail(Errc::invalid_input, "{}{} cannot be multiplied by {}{}", transpose_a ? "transposed " : "",
                to_text(*a), transpose_b ? "transposed " : "", to_text(*b));
  }
  if (call.in(0).constant() || !call.in(1).constant() || transpose_a || columns.batched) {
    // Rare: expressed as an einsum.
    std::string equation = transpose_a ? "ki" : "ik";
    equation += transpose_b ? ",jk->ij" : ",kj->ij";
    Lowered lowered{Einsum{equation}, {0, 1}, {}, {}};
    if (call.has(2) && call.in(2).constant()) lowered.weights.push_back({2, WeightRole::bias});
    return lowered;
  }
  Lowered lowered{Dense{columns.size, false}, {0}, {{1, WeightRole::kernel}}, {}};
  if (call.has(2)) {
    const auto bias = call.shape(2);
    if (!bias) return bias.error();
    const auto together = broadcast(Shape{rows_of(*a, transpose_a), columns}, *bias);
    if (!together || together->rank() != 2 || (*together)[1] != columns) {
      return fail(Errc::invalid_input, "a bias of {} does not match {} columns", to_text(*bias),
                  columns.size);
    }
  }
  if (call.has(2) && call.in(2).constant()) {
    std::get<Dense>(lowered.operation).bias = true;
    lowered.weights.push_back({2, WeightRole::bias});
  }
  return lowered;
}

Result<Lowered> einsum(const NodeCall& call) {
  Lowered lowered{Einsum{call.text("equation", "")}, {}, {}, {}};
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto shape = call.shape(i);
    if (!shape) return shape.error();
    lowered.operands.push_back(i);
  }
  return lowered;
}

Result<Lowered> recurrent(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto weight = call.shape(1);
  if (!weight) return weight.error();
  const auto again = call.shape(2);
  if (!again) return again.error();
  const RecurrentCell cell = call.type() == "LSTM"  ? RecurrentCell::lstm
                             : call.type() == "GRU" ? RecurrentCell::gru
                                                    : RecurrentCell::simple;
  const std::int64_t gates = gates_of(cell);
  const std::int64_t directions = call.text("direction", "forward") == "bidirectional" ? 2 : 1;
  if (input->rank() != 3 || weight->rank() != 3 || again->rank() != 3) {
    return fail(Errc::invalid_input, "{} expects (steps, batch, features) and two weight tensors of rank 3",
                call.type());
  }
  const std::int64_t hidden = call.integer("hidden_size", (*again)[2].size);
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (hidden < 1 || hidden > kMost || (*weight)[0].size != directions ||
      (*weight)[1].size != gates * hidden || (*weight)[2] != (*input)[2] || (*again)[0].size != directions ||
      (*again)[1].size != gates * hidden || (*again)[2].size != hidden) {
    return fail(Errc::invalid_input, "{} weights {} and {} do not match input {} and hidden size {}",
                call.type(), to_text(*weight), to_text(*again), to_text(*input), hidden);
  }
  if (call.has(3)) {
    const auto bias = call.shape(3);
    if (!bias) return bias.error();
    if (*bias != Shape{{directions}, {2 * gates * hidden}}) {
      return fail(Errc::invalid_input, "a bias of {} does not match {} gates of {}", to_text(*bias), gates,
                  hidden);
    }
  }
  const bool batch_first = call.integer("layout", 0) != 0;
  Lowered lowered{Recurrent{cell, hidden, directions, call.has(3), batch_first}, {0}, {}, {}};
  lowered.weights = {{1, WeightRole::kernel}, {2, WeightRole::kernel}};
  if (call.has(3)) lowered.weights.push_back({3, WeightRole::bias});
  return lowered;
}

}  // namespace

std::vector<NamedRule> matrix_rules() {
  return {
      {"MatMul", matmul},
      {"MatMulInteger", matmul_integer},
      {"QLinearMatMul", matmul_quantized},
      {"Gemm", gemm},
      {"Einsum", einsum},
      {"LSTM", recurrent},
      {"GRU", recurrent},
      {"RNN", recurrent},
  };
}

}  // namespace ergon::graph::onnx
