#include "graph/idioms/idioms.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/infer.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph {
namespace {

constexpr Arithmetic kScale{Combine::multiply, std::nullopt, true};

// Builds a network with one input.
class TestNetwork {
 public:
  explicit TestNetwork(const Shape& shape) { x = b.input("x", "Input", shape); }

  Tensor put(Operation operation, std::vector<Tensor> inputs) {
    const auto number = std::to_string(b.network().layers.size());
    return b.add("layer" + number, "Node", std::move(operation), std::move(inputs));
  }
  Tensor with_scalar(Combine combine, Tensor input) {
    return put(Arithmetic{combine, std::nullopt, true}, {input});
  }
  Tensor of(Function function, Tensor input) { return put(Elementwise{function}, {input}); }
  Tensor mean(Tensor input) { return put(Reduce{ReduceKind::mean, {-1}, true}, {input}); }
  Network finish(std::vector<Tensor> outputs) {
    auto network = b.finish(std::move(outputs));
    EXPECT_TRUE(network) << network.error().message;
    return *network;
  }

  Builder b{"onnx", "decomposed"};
  Tensor x;
};

std::vector<std::string> kinds_of(const Network& network) {
  std::vector<std::string> kinds;
  for (const Node& node : network.nodes) {
    if (!std::holds_alternative<Input>(node.operation))
      kinds.push_back(kind_of(node.operation, network.input_shapes(node)));
  }
  return kinds;
}

using Kinds = std::vector<std::string>;

std::int64_t parameters_of(const Network& network) {
  std::int64_t sum = 0;
  for (const Node& node : network.nodes) {
    for (const Weight& weight : node.weights) sum += weight.shared ? 0 : weight.elements().exact();
  }
  return sum;
}

void expect_sound(const Network& network) {
  NodeId next = 0;
  for (LayerId id = 0; id < network.layers.size(); ++id) {
    const Layer& layer = network.layers[id];
    EXPECT_EQ(layer.first, next);
    EXPECT_GT(layer.count, 0U);
    for (NodeId node = layer.first; node < layer.first + layer.count; ++node)
      EXPECT_EQ(network.nodes[node].layer, id);
    next += layer.count;
  }
  EXPECT_EQ(next, network.nodes.size());
  for (NodeId id = 0; id < network.nodes.size(); ++id) {
    for (const ValueId input : network.nodes[id].inputs) EXPECT_LT(network.values[input].producer, id);
    for (const ValueId output : network.nodes[id].outputs) EXPECT_EQ(network.values[output].producer, id);
    const Node& node = network.nodes[id];
    if (std::holds_alternative<Input>(node.operation)) continue;
    const auto given = infer(node.operation, network.input_shapes(node));
    ASSERT_TRUE(given) << given.error().message;
    EXPECT_EQ(given->front(), network.values[node.outputs[0]].shape);
  }
}

std::int64_t macs_of(const Network& network) {
  return network_costs(network, 2, Mode::inference).value().totals.sum.macs;
}

Network fuse_masked(const Network& network) {
  Network result = fuse_idioms(network);
  expect_sound(result);
  EXPECT_EQ(macs_of(result), macs_of(network));
  for (std::size_t i = 0; i < network.outputs.size(); ++i)
    EXPECT_EQ(result.values[result.outputs[i]].shape, network.values[network.outputs[i]].shape);
  return result;
}

// For networks without constant masks.
Network fuse(const Network& network) {
  Network result = fuse_masked(network);
  EXPECT_EQ(parameters_of(result), parameters_of(network));
  return result;
}

const Shape kTokens = Shape::batch_of({128, 64});

TEST(Idioms, BiasIsFusedIntoTheDenseLayer) {
  TestNetwork net(kTokens);
  const Tensor product = net.put(Dense{32, false}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{32}}}, {product});
  const Network network = fuse(net.finish({net.of(Function::relu, sum)}));
  EXPECT_EQ(kinds_of(network), (Kinds{"dense", "relu"}));
  const Node& dense = network.nodes[1];
  EXPECT_TRUE(std::get<Dense>(dense.operation).bias);
  ASSERT_EQ(dense.weights.size(), 2U);
  EXPECT_EQ(dense.weights[1].role, WeightRole::bias);
}

TEST(Idioms, BiasIsNotFusedIfTheProductHasAnotherReader) {
  TestNetwork net(kTokens);
  const Tensor product = net.put(Dense{32, false}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{32}}}, {product});
  const Network network = net.finish({net.put(Arithmetic{Combine::add}, {sum, product})});
  EXPECT_EQ(kinds_of(fuse(network)), (Kinds{"dense", "add", "add"}));
}

TEST(Idioms, BiasIsNotFusedIfTheProductIsAnOutput) {
  TestNetwork net(kTokens);
  const Tensor product = net.put(Dense{32, false}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{32}}}, {product});
  EXPECT_EQ(kinds_of(fuse(net.finish({product, sum}))), (Kinds{"dense", "add"}));
}

TEST(Idioms, PerRowAdditionIsNotABias) {
  TestNetwork net(kTokens);
  const Tensor product = net.put(Dense{32, false}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{128}, {32}}}, {product});
  EXPECT_EQ(kinds_of(fuse(net.finish({sum}))), (Kinds{"dense", "add"}));
}

TEST(Idioms, AdditionThatAddsAnAxisIsNotABias) {
  TestNetwork net(Shape::batch_of({64}));
  const Tensor product = net.put(Dense{32, false}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{1}, {1}, {32}}}, {product});
  EXPECT_EQ(kinds_of(fuse(net.finish({sum}))), (Kinds{"dense", "add"}));
}

TEST(Idioms, DenseLayerWithBiasGetsNoSecondBias) {
  TestNetwork net(kTokens);
  const Tensor product = net.put(Dense{32, true}, {net.x});
  const Tensor sum = net.put(Arithmetic{Combine::add, Shape{{32}}}, {product});
  EXPECT_EQ(kinds_of(fuse(net.finish({sum}))), (Kinds{"dense", "add"}));
}

TEST(Idioms, GatingByTheSameTensorIsAnActivation) {
  for (const auto& [gate, activation] :
       {std::pair{Function::sigmoid, "swish"}, {Function::hard_sigmoid, "hard_swish"}}) {
    for (const bool gate_first : {false, true}) {
      TestNetwork net(kTokens);
      const Tensor open = net.of(gate, net.x);
      const auto inputs = gate_first ? std::vector{open, net.x} : std::vector{net.x, open};
      EXPECT_EQ(kinds_of(fuse(net.finish({net.put(Arithmetic{Combine::multiply}, inputs)}))),
                (Kinds{activation}));
    }
  }
}

TEST(Idioms, GatingByAnotherTensorIsNotFused) {
  TestNetwork net(kTokens);
  const Tensor other = net.of(Function::tanh, net.x);
  const Tensor open = net.of(Function::sigmoid, other);
  const Network network = net.finish({net.put(Arithmetic{Combine::multiply}, {net.x, open})});
  EXPECT_EQ(kinds_of(fuse(network)), (Kinds{"tanh", "sigmoid", "multiply"}));
}

TEST(Idioms, GateWithAnotherReaderIsNotFused) {
  TestNetwork net(kTokens);
  const Tensor open = net.of(Function::sigmoid, net.x);
  const Tensor product = net.put(Arithmetic{Combine::multiply}, {net.x, open});
  EXPECT_EQ(kinds_of(fuse(net.finish({product, open}))), (Kinds{"sigmoid", "multiply"}));
}

TEST(Idioms, GeluWithTheHalfLast) {
  TestNetwork net(kTokens);
  const Tensor sum =
      net.with_scalar(Combine::add, net.of(Function::erf, net.with_scalar(Combine::divide, net.x)));
  const Tensor product = net.put(Arithmetic{Combine::multiply}, {net.x, sum});
  EXPECT_EQ(kinds_of(fuse(net.finish({net.with_scalar(Combine::multiply, product)}))), (Kinds{"gelu"}));
}

TEST(Idioms, GeluWithTheHalfFirst) {
  TestNetwork net(kTokens);
  const Tensor half = net.with_scalar(Combine::multiply, net.x);
  const Tensor sum =
      net.with_scalar(Combine::add, net.of(Function::erf, net.with_scalar(Combine::multiply, net.x)));
  EXPECT_EQ(kinds_of(fuse(net.finish({net.put(Arithmetic{Combine::multiply}, {half, sum})}))),
            (Kinds{"gelu"}));
}

TEST(Idioms, ErfOfAnotherTensorIsNotGelu) {
  TestNetwork net(kTokens);
  const Tensor y = net.of(Function::tanh, net.x);
  const Tensor sum =
      net.with_scalar(Combine::add, net.of(Function::erf, net.with_scalar(Combine::divide, y)));
  const Tensor product = net.put(Arithmetic{Combine::multiply}, {net.x, sum});
  const auto kinds = kinds_of(fuse(net.finish({net.with_scalar(Combine::multiply, product)})));
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "erf"), 1);
}

TEST(Idioms, ReciprocalSquareRootIsFused) {
  TestNetwork net(kTokens);
  const Tensor root = net.of(Function::sqrt, net.x);
  EXPECT_EQ(kinds_of(fuse(net.finish({net.of(Function::reciprocal, root)}))), (Kinds{"sqrt"}));
}

// As exported for opsets before 17.
Tensor decomposed_norm(TestNetwork& net, bool scale, bool center, bool squares_by_product, Tensor x) {
  const Tensor centred = net.put(Arithmetic{Combine::subtract}, {x, net.mean(x)});
  const Tensor squares = squares_by_product ? net.put(Arithmetic{Combine::multiply}, {centred, centred})
                                            : net.with_scalar(Combine::power, centred);
  const Tensor deviation = net.of(Function::sqrt, net.with_scalar(Combine::add, net.mean(squares)));
  Tensor y = net.put(Arithmetic{Combine::divide}, {centred, deviation});
  if (scale) y = net.put(Arithmetic{Combine::multiply, Shape{{64}}}, {y});
  if (center) y = net.put(Arithmetic{Combine::add, Shape{{64}}}, {y});
  return y;
}

TEST(Idioms, DecomposedLayerNormIsFused) {
  for (const bool by_product : {false, true}) {
    for (const bool affine : {false, true}) {
      TestNetwork net(kTokens);
      const Network network = fuse(net.finish({decomposed_norm(net, affine, affine, by_product, net.x)}));
      ASSERT_EQ(kinds_of(network), (Kinds{"layer_norm"}));
      const auto& norm = std::get<LayerNorm>(network.nodes[1].operation);
      EXPECT_EQ(norm.axes, 1U);
      EXPECT_EQ(norm.scale, affine);
      EXPECT_EQ(network.nodes[1].weights.size(), affine ? 2U : 0U);
    }
  }
}

// x / sqrt(mean(x^2) + epsilon), as Llama's modules are exported.
Tensor decomposed_rms_norm(TestNetwork& net, bool root_first, bool scale) {
  const Tensor squares = net.with_scalar(Combine::power, net.x);
  const Tensor root = net.of(Function::sqrt, net.with_scalar(Combine::add, net.mean(squares)));
  const Tensor reciprocal = net.of(Function::reciprocal, root);
  Tensor y = net.put(Arithmetic{Combine::multiply},
                     root_first ? std::vector{reciprocal, net.x} : std::vector{net.x, reciprocal});
  return scale ? net.put(Arithmetic{Combine::multiply, Shape{{64}}}, {y}) : y;
}

TEST(Idioms, DecomposedRmsNormIsFused) {
  for (const bool root_first : {false, true}) {
    for (const bool scale : {false, true}) {
      TestNetwork net(kTokens);
      const Network network = fuse(net.finish({decomposed_rms_norm(net, root_first, scale)}));
      ASSERT_EQ(kinds_of(network), (Kinds{"layer_norm"}));
      const auto& norm = std::get<LayerNorm>(network.nodes[1].operation);
      EXPECT_EQ(norm.scale, scale);
      EXPECT_FALSE(norm.center);
      EXPECT_EQ(network.nodes[1].weights.size(), scale ? 1U : 0U);
    }
  }
}

TEST(Idioms, ProductWithTheRootOfAnotherTensorIsNotARmsNorm) {
  TestNetwork net(kTokens);
  const Tensor other = net.of(Function::tanh, net.x);
  const Tensor squares = net.with_scalar(Combine::power, other);
  const Tensor root = net.of(Function::sqrt, net.with_scalar(Combine::add, net.mean(squares)));
  const auto kinds = kinds_of(fuse(
      net.finish({net.put(Arithmetic{Combine::multiply}, {net.x, net.of(Function::reciprocal, root)})})));
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "layer_norm"), 0);
}

TEST(Idioms, PositionEmbeddingAfterANormIsNotItsBias) {
  for (const Shape& positions : {Shape{{128}, {64}}, Shape{{1}, {128}, {64}}}) {
    TestNetwork net(kTokens);
    const Tensor norm = decomposed_norm(net, true, false, false, net.x);
    const Network network = fuse(net.finish({net.put(Arithmetic{Combine::add, positions}, {norm})}));
    EXPECT_EQ(kinds_of(network), (Kinds{"layer_norm", "add"}));
    EXPECT_FALSE(std::get<LayerNorm>(network.nodes[1].operation).center);
  }
  // One row, broadcast to all.
  TestNetwork net(Shape::batch_of({1, 64}));
  const Tensor norm = decomposed_norm(net, true, false, false, net.x);
  const Tensor many = net.put(Arithmetic{Combine::add, Shape{{1}, {128}, {64}}}, {norm});
  EXPECT_EQ(kinds_of(fuse(net.finish({many}))), (Kinds{"layer_norm", "add"}));
}

TEST(Idioms, MeanOverOtherAxesIsNotALayerNorm) {
  TestNetwork net(kTokens);
  const auto mean = [&](Tensor x) { return net.put(Reduce{ReduceKind::mean, {1}, true}, {x}); };
  const Tensor centred = net.put(Arithmetic{Combine::subtract}, {net.x, mean(net.x)});
  const Tensor squares = net.with_scalar(Combine::power, centred);
  const Tensor deviation = net.of(Function::sqrt, net.with_scalar(Combine::add, mean(squares)));
  const auto kinds = kinds_of(fuse(net.finish({net.put(Arithmetic{Combine::divide}, {centred, deviation})})));
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "layer_norm"), 0);
}

const Shape kHeads = Shape{Dim::batch(), {12}, {128}, {64}};

Tensor turned_by_reshapes(TestNetwork& net, Tensor k) {
  const Tensor flat = net.put(Reshape{Shape{{12, true}, {128}, {64}}}, {k});
  const Tensor turned = net.put(Transpose{{0, 2, 1}}, {flat});
  return net.put(Reshape{Shape{Dim::batch(), {12}, {64}, {128}}}, {turned});
}

// Eight groups of four channels reshaped to rows, an instance norm, a reshape back, scale and bias.
Tensor decomposed_group_norm(TestNetwork& net, const Shape& weight, bool center) {
  const Tensor rows = net.put(Reshape{Shape::batch_of({8, 4 * 14 * 14})}, {net.x});
  const Tensor back = net.put(Reshape{Shape::image_of(32, 14, 14)}, {net.put(GroupNorm{0}, {rows})});
  const Tensor scaled = net.put(Arithmetic{Combine::multiply, weight}, {back});
  return center ? net.put(Arithmetic{Combine::add, weight}, {scaled}) : scaled;
}

TEST(Idioms, DecomposedGroupNormIsFused) {
  for (const Shape& weight : {Shape{{32}, {1}, {1}}, Shape{{1}, {32}, {1}, {1}}}) {
    TestNetwork net(Shape::image_of(32, 14, 14));
    // The scale and bias of the instance norm are ones and zeros from the exporter.
    const Network network = fuse_idioms(net.finish({decomposed_group_norm(net, weight, true)}));
    ASSERT_EQ(kinds_of(network), (Kinds{"group_norm"}));
    EXPECT_EQ(std::get<GroupNorm>(network.nodes[1].operation).groups, 8);
    ASSERT_EQ(network.nodes[1].weights.size(), 2U);
    EXPECT_EQ(network.nodes[1].weights[0].role, WeightRole::scale);
    EXPECT_EQ(network.nodes[1].weights[1].role, WeightRole::bias);
    EXPECT_EQ(parameters_of(network), 64);
    expect_sound(network);
  }
}

TEST(Idioms, InstanceNormWithoutPerChannelScaleIsNotFused) {
  for (const auto& [weight, center] :
       {std::pair{Shape{{32}, {1}, {1}}, false}, std::pair{Shape{{14}}, true}}) {
    TestNetwork net(Shape::image_of(32, 14, 14));
    const auto kinds = kinds_of(fuse(net.finish({decomposed_group_norm(net, weight, center)})));
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "instance_norm"), 1);
  }
}

TEST(Idioms, TransposeByReshapesIsFused) {
  TestNetwork net(kHeads);
  const Network network = fuse(net.finish({turned_by_reshapes(net, net.x)}));
  ASSERT_EQ(kinds_of(network), (Kinds{"transpose"}));
  EXPECT_EQ(std::get<Transpose>(network.nodes[1].operation).order, (std::vector<std::int64_t>{0, 1, 3, 2}));
}

TEST(Idioms, ReshapesThatMixAxesAreNotFused) {
  TestNetwork net(kHeads);
  const Tensor flat = net.put(Reshape{Shape{Dim::batch(), {12 * 128}, {64}}}, {net.x});
  const Tensor turned = net.put(Transpose{{0, 2, 1}}, {flat});
  const Tensor back = net.put(Reshape{Shape{Dim::batch(), {12}, {64}, {128}}}, {turned});
  EXPECT_EQ(kinds_of(fuse(net.finish({back}))).size(), 3U);
}

TEST(Idioms, GatherOfOneIndexIsAView) {
  TestNetwork net(Shape{{3}, Dim::batch(), {64}});
  EXPECT_EQ(kinds_of(fuse(net.finish({net.put(Gather{Shape::batch_of({64})}, {net.x})}))), (Kinds{"slice"}));
  TestNetwork many(Shape{{3}, Dim::batch(), {64}});
  const Tensor rows = many.put(Gather{Shape{{2}, Dim::batch(), {64}}}, {many.x});
  EXPECT_EQ(kinds_of(fuse(many.finish({rows}))), (Kinds{"gather"}));
}

enum class Mask { none, constant, computed, dense, product, product_first, three };
struct Export {
  bool queries_scaled = true, keys_scaled = true;
  Mask mask = Mask::computed;
  bool guarded = true;
  std::int64_t axis = -1;
  bool scores_are_output = false;
};

Network attention(const Export& how) {
  TestNetwork net(kHeads);
  Tensor q = net.of(Function::tanh, net.x);
  if (how.queries_scaled) q = net.put(kScale, {q});
  Tensor k = turned_by_reshapes(net, net.of(Function::abs, net.x));
  if (how.keys_scaled) k = net.put(kScale, {k});
  Tensor scores = net.put(MatrixProduct{}, {q, k});
  const auto add = [&](std::vector<Tensor> addends) { scores = net.put(Arithmetic{Combine::add}, addends); };
  const auto row = [&] { return net.put(Reduce{ReduceKind::mean, {1, 3}, true}, {net.x}); };
  const auto product = [&] {
    return net.put(MatrixProduct{}, {net.x, net.put(Transpose{{0, 1, 3, 2}}, {net.x})});
  };
  switch (how.mask) {
    case Mask::none:
      break;
    case Mask::constant:
      scores = net.put(Arithmetic{Combine::add, Shape{{128}, {128}}}, {scores});
      break;
    case Mask::computed:
      add({scores, net.with_scalar(Combine::where, row())});
      break;
    case Mask::dense:
      add({scores, net.put(Dense{128, false}, {net.x})});
      break;
    case Mask::product:
      add({scores, product()});
      break;
    case Mask::product_first:
      add({product(), scores});
      break;
    case Mask::three:
      add({scores, row(), row()});
      break;
  }
  Tensor weights = net.put(Softmax{how.axis}, {scores});
  if (how.guarded) {
    Builder::PutOptions truth;
    truth.types = {ElementType::boolean};
    net.b.open("isnan", "IsNaN");
    const auto test = net.b.try_put(Elementwise{Function::other}, {weights}, truth);
    weights = net.put(Arithmetic{Combine::where, std::nullopt, true}, {test->front(), weights});
  }
  std::vector<Tensor> outputs{net.put(MatrixProduct{}, {weights, net.x})};
  if (how.scores_are_output) outputs.push_back(scores);
  return net.finish(outputs);
}

const Kinds kAttention{"tanh", "multiply", "abs", "transpose", "matmul", "softmax", "matmul"};

TEST(Idioms, DecomposedAttentionIsFused) {
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::none}))), kAttention);
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::none, .guarded = false}))), kAttention);
  EXPECT_EQ(kinds_of(fuse_masked(attention({.mask = Mask::constant}))), kAttention);
}

TEST(Idioms, MaskComputationStays) {
  Kinds wanted = kAttention;
  wanted.insert(wanted.begin() + 5, "reduce_mean");
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::computed}))), wanted);
  wanted[5] = "dense";
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::dense}))), wanted);
}

TEST(Idioms, AddedProductsStayInEitherOrder) {
  Kinds wanted = kAttention;
  wanted.insert(wanted.begin() + 5, {"transpose", "matmul"});
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::product}))), wanted);
  EXPECT_EQ(kinds_of(fuse(attention({.mask = Mask::product_first}))), wanted);
}

TEST(Idioms, ManualAttentionIsNotFused) {
  const auto sums = [](const Export& how) {
    const auto kinds = kinds_of(fuse(attention(how)));
    return std::count(kinds.begin(), kinds.end(), "add");
  };
  // Swin adds a bias to the scores and scales the queries only: frameworks run it as separate operations.
  EXPECT_EQ(sums({.keys_scaled = false, .guarded = false}), 1);
  EXPECT_EQ(sums({.queries_scaled = false}), 1);
  EXPECT_EQ(sums({.mask = Mask::three}), 1);
  EXPECT_EQ(sums({.axis = 2}), 1);
  EXPECT_EQ(sums({.scores_are_output = true}), 1);
}

// The mask broadcasts the scores of one head to twelve.
TEST(Idioms, MaskThatBroadcastsTheScoresIsNotFused) {
  TestNetwork net(Shape{Dim::batch(), {1}, {128}, {64}});
  const Tensor q = net.put(kScale, {net.x});
  const Tensor k = net.put(kScale, {net.put(Transpose{{0, 1, 3, 2}}, {net.x})});
  const Tensor scores = net.put(MatrixProduct{}, {q, k});
  const Tensor masked = net.put(Arithmetic{Combine::add, Shape{{12}, {128}, {128}}}, {scores});
  const Tensor y = net.put(MatrixProduct{}, {net.put(Softmax{-1}, {masked}), net.x});
  const auto kinds = kinds_of(fuse(net.finish({y})));
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "add"), 1);
}

// A mask with a long chain of conversions.
TEST(Idioms, LongMaskChainsTerminate) {
  TestNetwork net(kHeads);
  const Tensor q = net.put(kScale, {net.x});
  const Tensor k = net.put(kScale, {net.put(Transpose{{0, 1, 3, 2}}, {net.x})});
  Tensor mask = net.put(Reduce{ReduceKind::mean, {1, 3}, true}, {net.x});
  for (int i = 0; i < 200'000; ++i) mask = net.put(Elementwise{Function::cast}, {mask});
  const Tensor scores = net.put(Arithmetic{Combine::add}, {net.put(MatrixProduct{}, {q, k}), mask});
  const Network network = net.finish({net.put(MatrixProduct{}, {net.put(Softmax{-1}, {scores}), net.x})});
  EXPECT_EQ(kinds_of(fuse_idioms(network)),
            (Kinds{"multiply", "transpose", "reduce_mean", "matmul", "softmax", "matmul"}));
}

TEST(Idioms, ZooNetworksStayUnchanged) {
  // Except for class tokens, which are selected by a constant index.
  const auto kinds = [](const Network& network) {
    Kinds all = kinds_of(network);
    std::replace(all.begin(), all.end(), std::string("gather"), std::string("slice"));
    return all;
  };
  for (const zoo::Entry& entry : zoo::entries()) {
    if (entry.family != "torchvision" && entry.family != "hf") continue;
    const auto network = zoo::build(entry, {});
    ASSERT_TRUE(network);
    const Network again = fuse_idioms(*network);
    expect_sound(again);
    EXPECT_EQ(kinds(again), kinds(*network)) << entry.name;
    EXPECT_EQ(parameters_of(again), parameters_of(*network)) << entry.name;
  }
}

}  // namespace
}  // namespace ergon::graph
