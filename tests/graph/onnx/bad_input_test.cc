// Every file gives a network or a one-line error that names the node and the reason.

#include <google/protobuf/stubs/logging.h>
#include <random>

#include <gtest/gtest.h>

#include "graph/onnx/small_model.h"
#include "graph/onnx/strip_weights.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"
#include "support/peak_memory.h"

namespace ergon::graph::onnx {
namespace {

using test::SmallModel;

SmallModel two_layers() {
  SmallModel model;
  model.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 3, 3});
  model.node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"y"}).output("y");
  return model;
}

TEST(BadOnnx, NotAModel) {
  EXPECT_EQ(import_onnx("", "f", {}).error().message, "f: not an ONNX model: it has no nodes");
  EXPECT_EQ(import_onnx("hello, this is text", "f", {}).error().message,
            "f: not an ONNX model, truncated, or nested deeper than 100 levels");
  EXPECT_EQ(import_onnx_file("/nonexistent/a.onnx", {}).error().kind, Errc::not_found);
  EXPECT_FALSE(import_onnx_file("/tmp", {}));
}

constexpr std::string_view kTruncated = "f: not an ONNX model, truncated, or nested deeper than 100 levels";

// Whether the official parser accepts the bytes.
bool is_message(const std::string& bytes, ::onnx::ModelProto& model) {
  const google::protobuf::LogSilencer quiet;
  return model.ParseFromString(bytes);
}

// No proper prefix is a model: most are invalid messages, the others lack the graph or the opset.
void expect_rejects_prefix(const std::string& whole, std::size_t size) {
  const std::string prefix = whole.substr(0, size);
  const auto network = import_onnx(prefix, "f", {});
  ASSERT_FALSE(network) << size << " of " << whole.size() << " bytes";
  ::onnx::ModelProto model;
  if (!is_message(prefix, model)) {
    EXPECT_EQ(network.error().message, kTruncated) << size;
  } else if (!model.has_graph()) {
    EXPECT_EQ(network.error().message, "f: not an ONNX model: it has no nodes") << size;
  } else {
    EXPECT_EQ(network.error().message, "f: opset 0 is not supported; expected 7 to 21") << size;
  }
}

TEST(BadOnnx, Truncated) {
  const std::string whole = two_layers().proto.SerializeAsString();
  ASSERT_TRUE(import_onnx(whole, "f", {}));
  for (std::size_t size = 0; size < whole.size(); ++size) expect_rejects_prefix(whole, size);
}

// Weight data is skipped without being parsed, so its length is checked separately.
TEST(BadOnnx, TruncatedWithinWeightData) {
  SmallModel model;
  model.input("x", {-1, 3, 32, 32}).weight("w", {64, 3, 16, 16}).node("Conv", {"x", "w"}, {"y"}).output("y");
  auto* weight = model.graph().mutable_initializer(0);
  weight->clear_data_location();
  weight->set_raw_data(std::string(64 * 3 * 16 * 16 * sizeof(float), '\x3f'));
  const std::string whole = model.proto.SerializeAsString();
  ASSERT_TRUE(import_onnx(whole, "f", {}));
  for (std::size_t size = 1; size < whole.size(); size += size + 300 < whole.size() ? 1999 : 1)
    expect_rejects_prefix(whole, size);
}

// Operations read values that earlier operations computed, tensors have elements, costs are not negative.
void expect_sound(const Network& network) {
  for (const Value& value : network.values) {
    for (const Dim& dim : value.shape.dims()) EXPECT_GE(dim.size, 1) << to_text(value.shape);
    EXPECT_FALSE(value.shape.elements(1).overflowed()) << to_text(value.shape);
  }
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    for (const ValueId input : network.nodes[i].inputs) EXPECT_LT(network.values.at(input).producer, i);
    for (const ValueId output : network.nodes[i].outputs) EXPECT_EQ(network.values.at(output).producer, i);
  }
  EXPECT_FALSE(network.outputs.empty());
  const auto costs = graph::network_costs(network, 2, Mode::training);
  if (!costs) return;  // beyond 64 bits
  const Costs& sum = costs->totals.sum;
  for (const std::int64_t count : {sum.macs, sum.flops, sum.parameters, sum.weight_bytes, sum.bytes_moved()})
    EXPECT_GE(count, 0);
}

// One line that names the file, without control characters from it.
void expect_clear(const std::string& message) {
  EXPECT_TRUE(message.starts_with("f: ")) << message;
  EXPECT_GT(message.size(), 10U) << message;
  for (const char c : message) EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != '\x7f') << message;
}

TEST(BadOnnx, FlippedBits) {
  const auto exported = export_onnx(*zoo::build(**zoo::find("squeezenet1_1")));
  ASSERT_TRUE(exported);
  std::mt19937 random(7);
  int accepted = 0, rejected = 0, unparsed = 0;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    std::string bytes = *exported;
    for (int k = 0; k < 1 + i % 4; ++k) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
    }
    const auto network = import_onnx(bytes, "f", {});
    ::onnx::ModelProto model;
    if (!is_message(bytes, model)) {
      ++unparsed;
      ASSERT_FALSE(network);
      EXPECT_EQ(network.error().message, kTruncated);
    } else if (network) {
      ++accepted;
      expect_sound(*network);
    } else {
      ++rejected;
      expect_clear(network.error().message);
    }
  }
  // All three occur often enough to be tested.
  EXPECT_GT(accepted, 100);
  EXPECT_GT(rejected, 50);
  EXPECT_GT(unparsed, 50);
}

TEST(BadOnnx, RandomBytes) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_FALSE(import_onnx(bytes, "f", {}));
  }
}

TEST(BadOnnx, UnsupportedOpsets) {
  EXPECT_EQ(SmallModel(6).input("x", {1}).node("Relu", {"x"}, {"y"}).output("y").error(),
            "test: opset 6 is not supported; expected 7 to 21");
  EXPECT_EQ(SmallModel(22).input("x", {1}).node("Relu", {"x"}, {"y"}).output("y").error(),
            "test: opset 22 is not supported; expected 7 to 21");
}

TEST(BadOnnx, Cycles) {
  SmallModel model;
  model.input("x", {-1, 4}).node("Add", {"x", "b"}, {"a"}).node("Relu", {"a"}, {"b"}).output("b");
  EXPECT_EQ(model.error(), "test: node \"my_a\" (Add): the graph has a cycle here");
}

TEST(BadOnnx, MissingInitializers) {
  SmallModel model;
  model.input("x", {-1, 3, 8, 8}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(model.error(), "test: node \"my_y\" (Conv): input \"w\" is undefined (missing initializer?)");
  EXPECT_EQ(two_layers().output("z").error(), "test: output \"z\" is undefined");
}

TEST(BadOnnx, DuplicateNames) {
  SmallModel twice = two_layers();
  twice.node("Relu", {"c"}, {"y"});
  EXPECT_EQ(twice.error(), "test: node \"my_y\" (Relu): duplicate value \"y\"");
  SmallModel weights = two_layers();
  weights.weight("w", {4, 3, 3, 3});
  EXPECT_EQ(weights.error(), "test: duplicate initializer \"w\"");
  SmallModel inputs = two_layers();
  inputs.input("x", {-1, 3, 8, 8});
  EXPECT_EQ(inputs.error(), "test: duplicate input \"x\"");
}

TEST(BadOnnx, ContradictoryShapes) {
  SmallModel weights;
  weights.input("x", {-1, 3, 8, 8}).weight("w", {4, 5, 3, 3}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(weights.error(),
            "test: node \"my_y\" (Conv): weights of (4, 5, 3, 3) in 1 group(s) do not match an input of "
            "(batch, 3, 8, 8)");
  SmallModel declared;
  declared.input("x", {-1, 3, 8, 8})
      .weight("w", {4, 3, 3, 3})
      .node("Conv", {"x", "w"}, {"y"})
      .output("y", {-1, 4, 7, 7});
  EXPECT_EQ(declared.error(),
            "test: node \"my_y\" (Conv): computed shape (batch, 4, 6, 6) of \"y\" differs from the declared "
            "(N, 4, 7, 7)");
  SmallModel kernel;
  kernel.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 3, 3}).node("Conv", {"x", "w"}, {"y"});
  kernel.list("kernel_shape", {5, 5}).output("y");
  EXPECT_EQ(kernel.error(), "test: node \"my_y\" (Conv): kernel_shape is 5x5, the weights have 3x3");
}

TEST(BadOnnx, ImpossibleDimensions) {
  const auto error = [](std::int64_t size) {
    return SmallModel().input("x", {-1, size}).node("Relu", {"x"}, {"y"}).output("y").error();
  };
  EXPECT_EQ(error(0), "test: input \"x\": axis 1 has invalid extent 0");
  EXPECT_EQ(error(-7), "test: input \"x\": axis 1 has invalid extent -7");
  SmallModel huge;
  huge.input("x", {-1, std::int64_t{1} << 62, 4}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(
      huge.error(),
      "test: input \"x\": a tensor must have fewer than 2^63 elements, got (batch, 4611686018427387904, 4)");
  SmallModel weight = SmallModel().input("x", {-1, 3, 8, 8}).weight("w", {-4, 3, 3, 3});
  weight.node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(weight.error(), "test: initializer \"w\": invalid extent -4");
}

TEST(BadOnnx, CostOverflowIsAnError) {
  SmallModel model;
  model.input("x", {-1, std::int64_t{1} << 62}).node("Relu", {"x"}, {"y"}).output("y");
  const auto network = model.import();
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_FALSE(graph::network_costs(*network, 1, Mode::inference)) << "its bytes do not fit in 64 bits";
}

TEST(BadOnnx, ControlFlowIsRejected) {
  for (const char* type : {"If", "Loop", "Scan"}) {
    SmallModel model;
    model.input("x", {-1, 4}).input("c", {1}, 9).node(type, {"c"}, {"y"}).output("y");
    auto* attribute = model.graph().mutable_node(0)->add_attribute();
    attribute->set_name("body");
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    auto* body = attribute->mutable_g();
    // Nested subgraphs.
    for (int depth = 0; depth < 20; ++depth) {
      auto* node = body->add_node();
      node->set_op_type("If");
      auto* inner = node->add_attribute();
      inner->set_name("then_branch");
      inner->set_type(::onnx::AttributeProto::GRAPH);
      body = inner->mutable_g();
    }
    EXPECT_EQ(model.error(), std::string("test: node \"my_y\" (") + type +
                                 "): control flow (If, Loop, Scan) is not supported");
  }
}

TEST(BadOnnx, RecursiveFunctions) {
  SmallModel model;
  model.input("x", {-1, 4}).node("F", {"x"}, {"y"}, "lib").output("y");
  auto* function = model.proto.add_functions();
  function->set_name("F");
  function->set_domain("lib");
  function->add_input("a");
  function->add_output("b");
  auto* inner = function->add_node();
  inner->set_op_type("F");
  inner->set_domain("lib");
  inner->add_input("a");
  inner->add_output("b");
  EXPECT_NE(model.error().find("recursive functions are not supported"), std::string::npos);
}

TEST(BadOnnx, DataDependentShapes) {
  SmallModel model;
  model.input("x", {-1, 4}).input("s", {2}, 7).node("Reshape", {"x", "s"}, {"y"}).output("y");
  EXPECT_EQ(model.error(),
            "test: node \"my_y\" (Reshape): shape \"s\" depends on run-time data; only static shapes are "
            "supported");
  SmallModel absent;
  absent.input("x", {-1, 4}).weight("s", {2}, 7).node("Reshape", {"x", "s"}, {"y"}).output("y");
  EXPECT_EQ(absent.error(), "test: node \"my_y\" (Reshape): shape \"s\" cannot be determined from the file");
}

// Each function calls the next one twice; the last one is empty.
TEST(BadOnnx, ExponentiallyGrowingFunctions) {
  SmallModel model;
  model.input("x", {-1, 4}).node("f0", {"x"}, {"y"}, "lib").output("y");
  for (int i = 0; i <= 60; ++i) {
    auto* function = model.proto.add_functions();
    function->set_name("f" + std::to_string(i));
    function->set_domain("lib");
    function->add_input("a");
    function->add_output("c");
    if (i == 60) break;
    for (const auto& [from, to] : {std::pair{"a", "b"}, {"b", "c"}}) {
      auto* call = function->add_node();
      call->set_op_type("f" + std::to_string(i + 1));
      call->set_domain("lib");
      call->add_input(from);
      call->add_output(to);
    }
  }
  EXPECT_NE(model.error().find("inlining its functions gives more than"), std::string::npos);
}

// Adds a function to the model: `body` nodes that read its input.
::onnx::FunctionProto& add_function(SmallModel& model, int body) {
  auto* function = model.proto.add_functions();
  function->set_name("F");
  function->set_domain("lib");
  function->add_input("a");
  function->add_output("b0");
  for (int i = 0; i < body; ++i) {
    auto* node = function->add_node();
    node->set_op_type("Relu");
    node->add_input("a");
    node->add_output("b" + std::to_string(i));
  }
  return *function;
}

// Few nodes, but the names of a call are part of the names of its nodes: 10,000 times 1 MB.
TEST(BadOnnx, FunctionsWithLongNames) {
  SmallModel model;
  const std::string name(1'000'000, 'y');
  model.input("x", {-1, 4}).node("F", {"x"}, {name}, "lib").output("x");
  add_function(model, 10'000);
  const test::PeakMemory memory;
  EXPECT_NE(
      model.error().find("inlining its functions gives more than 256 MiB; set ERGON_INPUT_LIMITS=file=SIZE"),
      std::string::npos);
  EXPECT_LT(memory.growth_mib().value_or(0), 1024);
}

// An attribute of 1 MB that every node of the body refers to.
TEST(BadOnnx, FunctionsWithLargeAttributes) {
  SmallModel model;
  model.input("x", {-1, 4}).node("F", {"x"}, {"y"}, "lib").output("y");
  auto* given = model.graph().mutable_node(0)->add_attribute();
  given->set_name("large");
  given->set_s(std::string(1'000'000, 's'));
  auto& function = add_function(model, 10'000);
  function.add_attribute("large");
  for (auto& node : *function.mutable_node()) {
    auto* attribute = node.add_attribute();
    attribute->set_name("note");
    attribute->set_ref_attr_name("large");
  }
  EXPECT_NE(model.error().find("inlining its functions gives more than 256 MiB"), std::string::npos);
}

// Two bytes of the file are an empty node, which takes some 150 bytes of memory.
TEST(BadOnnx, MillionsOfEmptyNodes) {
  constexpr std::size_t kNodes = 11'000'000;
  std::string graph;
  for (std::size_t i = 0; i < kNodes; ++i) graph.append("\x0a\0", 2);
  std::string model = "\x3a";
  for (std::size_t size = graph.size(); size > 0; size >>= 7)
    model += static_cast<char>((size & 0x7fU) | (size > 0x7fU ? 0x80U : 0U));
  model += graph;
  graph = {};
  const test::PeakMemory memory;
  const auto network = import_onnx(model, "f", {});
  ASSERT_FALSE(network);
  EXPECT_EQ(
      network.error().message,
      "f: more than 10000000 nodes, attributes and names; set ERGON_INPUT_LIMITS=parts=N to raise the limit");
  EXPECT_LT(memory.growth_mib().value_or(0), 64);
}

TEST(BadOnnx, PartsInAttributesAndFunctionsCount) {
  SmallModel model = two_layers();
  const std::string plain = model.proto.SerializeAsString();
  const auto parts = [](const std::string& bytes) {
    std::uint64_t limit = 0;
    while (has_more_parts(bytes, limit)) ++limit;
    return limit;
  };
  auto* attribute = model.graph().mutable_node(0)->add_attribute();
  attribute->set_name("body");
  attribute->mutable_g()->add_node()->add_input("x");
  // The attribute, its name, its graph, a node and an input.
  EXPECT_EQ(parts(model.proto.SerializeAsString()), parts(plain) + 5);
  add_function(model, 3);
  // The function, its name, domain, input and output; three nodes with an input, an output and a type.
  EXPECT_EQ(parts(model.proto.SerializeAsString()), parts(plain) + 5 + 5 + 3 * 4);
}

// Twenty thousand constants, each computed from all before it.
TEST(BadOnnx, LongChainsOfConstants) {
  SmallModel model;
  model.input("x", {-1, 8}).weight("c0", {8}).output("y");
  for (int i = 1; i <= 20000; ++i) {
    const std::string number = std::to_string(i);
    model.weight("w" + number, {8});
    model.node("Add", {"c" + std::to_string(i - 1), "w" + number}, {"c" + number});
  }
  model.node("Mul", {"x", "c20000"}, {"y"});
  const auto network = model.import();
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(graph::network_costs(*network, 1, Mode::inference)->totals.sum.parameters, 8 * 20001);
}

// Invalid nodes that crash the onnx library's inference, next to a node that needs that inference.
TEST(BadOnnx, InvalidNodesNextToUnknownNodes) {
  SmallModel scan;
  scan.input("x", {-1, 4}).node("Scan", {"x"}, {"y"}).output("y");
  const auto network = scan.import();
  ASSERT_TRUE(network);
  EXPECT_FALSE(network->output_sizes(network->layers.back())) << "nobody knows its shape";
  EXPECT_EQ(graph::network_costs(*network, 1, Mode::inference)->totals.sum.bytes_moved(), 0);
  SmallModel pool;
  pool.input("x", {-1, 3, 8, 8}).node("Custom", {"x"}, {"c"}, "foo").node("MaxPool", {"x"}, {"y"});
  pool.list("kernel_shape", {1, 1}).list("strides", {0, 0}).output("y");
  EXPECT_EQ(pool.error(),
            "test: node \"my_y\" (MaxPool): kernel 1x1, stride 0x0 and dilation 1x1 must be between 1 "
            "and 2^31");
}

TEST(BadOnnx, MismatchedWeights) {
  SmallModel rank;
  rank.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 3}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(rank.error(),
            "test: node \"my_y\" (Conv): a kernel of 3 does not match the rank of (batch, 3, 8, 8)");
  SmallModel bias;
  bias.input("x", {-1, 3, 8, 8})
      .weight("w", {4, 3, 3, 3})
      .weight("b", {7})
      .node("Conv", {"x", "w", "b"}, {"y"})
      .output("y");
  EXPECT_EQ(bias.error(), "test: node \"my_y\" (Conv): a bias of (7) does not match 4 output channels");
  SmallModel gemm;
  gemm.input("x", {-1, 4})
      .weight("w", {4, 3})
      .weight("b", {7})
      .node("Gemm", {"x", "w", "b"}, {"y"})
      .output("y");
  EXPECT_EQ(gemm.error(), "test: node \"my_y\" (Gemm): a bias of (7) does not match 3 columns");
  SmallModel data;
  data.input("x", {-1, 4}).reals("w", {1, 2, 3, 4}).node("Mul", {"x", "w"}, {"y"}).output("y");
  data.graph().mutable_initializer(0)->set_raw_data("abc");
  EXPECT_EQ(data.error(), "test: initializer \"w\": 3 bytes of data for (4) of float32");
}

TEST(BadOnnx, UndefinedDimensions) {
  graph::onnx::ImportOptions options;
  options.dimensions["hieght"] = 4;
  SmallModel model;
  model.input("x", {-1, 4}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(model.error(options), "test: no input has a symbolic dimension \"hieght\"");
}

TEST(BadOnnx, AHundredThousandNodes) {
  SmallModel model;
  model.input("x", {-1, 4}).output("v100000");
  std::string last = "x";
  for (int i = 1; i <= 100000; ++i) {
    const std::string next = "v" + std::to_string(i);
    model.node("Relu", {last}, {next});
    last = next;
  }
  const auto network = model.import();
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->nodes.size(), 100001U);
}

TEST(BadOnnx, TooManyAxes) {
  SmallModel model;
  model.input("x", SmallModel::Sizes(12, 1)).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(model.error(), "test: input \"x\": 12 axes are not supported");
}

}  // namespace
}  // namespace ergon::graph::onnx
