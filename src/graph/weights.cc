#include "graph/weights.h"

#include "graph/overloaded.h"

namespace ergon::graph {
namespace {

class WeightList {
 public:
  explicit WeightList(ElementType type) : type_(type) {}

  void add(WeightRole role, Shape shape) { weights_.push_back({role, shape, type_, false}); }
  void add_if(bool needed, WeightRole role, std::int64_t size) {
    if (needed) add(role, Shape{{size}});
  }
  std::vector<Weight> take() { return std::move(weights_); }

 private:
  ElementType type_;
  std::vector<Weight> weights_;
};

Shape kernel_shape(std::int64_t first, std::int64_t second, const Extent& kernel) {
  Shape shape{{first}, {second}};
  for (const std::int64_t size : kernel.sizes()) shape.push_back({size});
  return shape;
}

}  // namespace

std::int64_t gates_of(RecurrentCell cell) {
  if (cell == RecurrentCell::lstm) return 4;
  return cell == RecurrentCell::gru ? 3 : 1;
}

std::vector<Weight> weights_of(const Operation& operation, std::span<const Shape> inputs, ElementType type) {
  WeightList stored(type);
  using enum WeightRole;
  std::visit(Overloaded{
                 [&](const Convolution& op) {
                   const std::int64_t in = inputs[0][1].size;
                   stored.add(kernel, kernel_shape(op.out_channels, in / op.groups, op.window.kernel));
                   stored.add_if(op.bias, bias, op.out_channels);
                 },
                 [&](const TransposedConvolution& op) {
                   const std::int64_t in = inputs[0][1].size;
                   stored.add(kernel, kernel_shape(in, op.out_channels / op.groups, op.window.kernel));
                   stored.add_if(op.bias, bias, op.out_channels);
                 },
                 [&](const Dense& op) {
                   stored.add(kernel, Shape{{inputs[0][inputs[0].rank() - 1].size}, {op.out_features}});
                   stored.add_if(op.bias, bias, op.out_features);
                 },
                 [&](const MatrixProduct& op) {
                   if (op.weight) stored.add(kernel, *op.weight);
                 },
                 [&](const Recurrent& op) {
                   const std::int64_t gates = gates_of(op.cell);
                   const std::int64_t rows = gates * op.hidden;
                   stored.add(kernel, Shape{{op.directions}, {rows}, {inputs[0][2].size}});
                   stored.add(kernel, Shape{{op.directions}, {rows}, {op.hidden}});
                   if (op.bias) stored.add(bias, Shape{{op.directions}, {2 * rows}});
                 },
                 [&](const BatchNorm& op) {
                   const std::int64_t channels = inputs[0][1].size;
                   stored.add_if(op.scale, scale, channels);
                   stored.add_if(op.center, bias, channels);
                   stored.add_if(true, statistic, channels);
                   stored.add_if(true, statistic, channels);
                 },
                 [&](const GroupNorm&) {
                   stored.add_if(true, scale, inputs[0][1].size);
                   stored.add_if(true, bias, inputs[0][1].size);
                 },
                 [&](const LayerNorm& op) {
                   const auto normed = Shape::of(inputs[0].dims().last(op.axes));
                   if (op.scale) stored.add(scale, normed);
                   if (op.center) stored.add(bias, normed);
                 },
                 [&](const Normalization&) {
                   // Keras stores a mean and a variance per channel, and the number of updates.
                   stored.add_if(true, statistic, inputs[0][1].size);
                   stored.add_if(true, statistic, inputs[0][1].size);
                   stored.add_if(true, statistic, 1);
                 },
                 [&](const Elementwise& op) {
                   if (op.weight) stored.add(other, *op.weight);
                 },
                 [&](const Arithmetic& op) {
                   if (op.weight) stored.add(other, *op.weight);
                 },
                 [&](const Parameter& op) { stored.add(other, op.weight); },
                 [&](const Embedding& op) {
                   stored.add(table, Shape{{op.rows}, {op.width}});
                 },
                 [](const auto&) {},
             },
             operation);
  return stored.take();
}

}  // namespace ergon::graph
