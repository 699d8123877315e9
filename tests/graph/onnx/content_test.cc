// Attributes and constants of imported nodes.

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graph/onnx/small_model.h"

namespace ergon::graph::onnx {
namespace {

using test::SmallModel;

ImportedModel filled(const SmallModel& model, const ImportOptions& options = {}) {
  auto result = import_onnx_with_weights(model.proto.SerializeAsString(), "test", options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : ImportedModel{};
}

// The content of the node with this function; fails the test if there is none.
NodeContent node_of(const ImportedModel& from, std::string_view function) {
  EXPECT_TRUE(from.content) << from.missing;
  if (!from.content) return {};
  EXPECT_EQ(from.content->nodes.size(), from.network.nodes.size());
  for (const auto& node : from.content->nodes) {
    if (node.function == function) return node;
  }
  ADD_FAILURE() << "no " << function;
  return {};
}

template <typename Number>
std::vector<Number> numbers(const NodeContent& node, std::size_t operand) {
  if (operand >= node.operands.size() || node.operands[operand].constant == nullptr) {
    ADD_FAILURE() << "operand " << operand << " is no constant";
    return {};
  }
  const auto& bytes = node.operands[operand].constant->bytes;
  std::vector<Number> result(bytes.size() / sizeof(Number));
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

::onnx::TensorProto& initializer(SmallModel& model, const std::string& name, int type,
                                 const std::vector<std::int64_t>& sizes) {
  auto* tensor = model.graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(type);
  for (const std::int64_t size : sizes) tensor->add_dims(size);
  return *tensor;
}

// x + c, where x has three elements and the caller computes c from constants.
ImportedModel added(SmallModel& model) {
  model.input("x", {-1, 3}).node("Add", {"x", "c"}, {"y"}).output("y");
  return filled(model);
}

using Reals = std::vector<float>;
using Integers = std::vector<std::int64_t>;

TEST(OnnxContent, AttributesKeepNamesAndTypes) {
  SmallModel model;
  model.input("x", {-1, 2, 8, 8}).node("LeakyRelu", {"x"}, {"a"});
  auto* alpha = model.graph().mutable_node(0)->add_attribute();
  alpha->set_name("alpha");
  alpha->set_type(::onnx::AttributeProto::FLOAT);
  alpha->set_f(0.25F);
  model.node("AveragePool", {"a"}, {"y"}).list("kernel_shape", {3, 2}).with("count_include_pad", 1);
  model.text("auto_pad", "SAME_UPPER").output("y");
  const ImportedModel all = filled(model);
  const NodeContent relu = node_of(all, "LeakyRelu");
  EXPECT_EQ(relu.numbers.at("alpha"), 0.25);
  EXPECT_EQ(relu.numbers.at("opset"), 17);
  const NodeContent pool = node_of(all, "AveragePool");
  EXPECT_EQ(pool.numbers.at("count_include_pad"), 1);
  EXPECT_EQ(pool.lists.at("kernel_shape"), (Integers{3, 2}));
  EXPECT_EQ(pool.words.at("auto_pad"), "SAME_UPPER");
  EXPECT_TRUE(all.content->nodes[0].function.empty()) << "the input";
}

TEST(OnnxContent, ListsOfStringsAreJoined) {
  SmallModel model;
  model.input("x", {5, -1, 2}).node("RNN", {"x", "w", "r"}, {"y"}).with("hidden_size", 1).output("y");
  for (const char* name : {"w", "r"}) {
    auto& tensor = initializer(model, name, 1, {1, 1, name[0] == 'w' ? 2 : 1});
    for (int i = 0; i < (name[0] == 'w' ? 2 : 1); ++i) tensor.add_float_data(1);
  }
  auto* words = model.graph().mutable_node(0)->add_attribute();
  words->set_name("activations");
  words->set_type(::onnx::AttributeProto::STRINGS);
  words->add_strings("Relu");
  words->add_strings("Tanh");
  EXPECT_EQ(node_of(filled(model), "RNN").words.at("activations"), "Relu,Tanh");
}

TEST(OnnxContent, OperandsAreInFileOrder) {
  SmallModel model;
  model.input("x", {-1, 2}).input("z", {-1, 2}).reals("c", {1, 2});
  model.node("Greater", {"z", "x"}, {"g"}).node("Where", {"g", "c", "x"}, {"y"}).output("y");
  const ImportedModel all = filled(model);
  const NodeContent where = node_of(all, "Where");
  ASSERT_EQ(where.operands.size(), 3U);
  EXPECT_EQ(where.operands[0].input_index, 0U);
  EXPECT_EQ(numbers<float>(where, 1), (Reals{1, 2}));
  EXPECT_FALSE(where.operands[1].input_index);
  EXPECT_EQ(where.operands[2].input_index, 1U);
  const NodeContent greater = node_of(all, "Greater");
  const Node& node = all.network.nodes[2];
  ASSERT_EQ(greater.operands.size(), 2U);
  EXPECT_EQ(all.network.values[node.inputs[*greater.operands[0].input_index]].producer, 0U)
      << "z enters first";
  EXPECT_EQ(greater.operands[1].input_index, 1U);
}

TEST(OnnxContent, OmittedInputIsNeitherTensorNorConstant) {
  SmallModel model;
  model.input("x", {-1, 2}).node("Clip", {"x", "", "most"}, {"y"}).output("y");
  initializer(model, "most", 1, {}).add_float_data(4);
  const NodeContent clip = node_of(filled(model), "Clip");
  ASSERT_EQ(clip.operands.size(), 3U);
  EXPECT_TRUE(!clip.operands[1].input_index && clip.operands[1].constant == nullptr);
  EXPECT_EQ(numbers<float>(clip, 2), (Reals{4}));
  EXPECT_TRUE(clip.operands[2].constant->sizes.empty());
}

TEST(OnnxContent, SecondConstantBecomesATensor) {
  SmallModel model;
  // The first constant is the weight; the second one becomes a separate node.
  model.input("x", {-1, 2}).reals("a", {1, 2}).reals("b", {3, 4});
  model.node("Max", {"b", "x", "a"}, {"y"}).output("y");
  const ImportedModel all = filled(model);
  const NodeContent most = node_of(all, "Max");
  ASSERT_EQ(most.operands.size(), 3U);
  EXPECT_EQ(numbers<float>(most, 0), (Reals{3, 4}));
  EXPECT_EQ(most.operands[1].input_index, 0U);
  EXPECT_EQ(most.operands[2].input_index, 1U);
  EXPECT_EQ(numbers<float>(node_of(all, "Constant"), 0), (Reals{1, 2}));
}

TEST(OnnxContent, ShapesStoredInTheOperationAreNotOperands) {
  SmallModel model;
  model.input("x", {-1, 6}).integers("to", {0, 2, 3}).node("Reshape", {"x", "to"}, {"y"}).output("y");
  const NodeContent reshape = node_of(filled(model), "Reshape");
  ASSERT_EQ(reshape.operands.size(), 2U);
  EXPECT_EQ(reshape.operands[0].input_index, 0U);
  EXPECT_EQ(reshape.operands[1].constant, nullptr);
}

TEST(OnnxContent, ResizeHasItsScales) {
  SmallModel model;
  model.input("x", {-1, 1, 4, 4}).reals("scales", {1, 1, 1.5, 2});
  model.node("Resize", {"x", "", "scales"}, {"y"}).output("y");
  EXPECT_EQ(numbers<float>(node_of(filled(model), "Resize"), 2), (Reals{1, 1, 1.5, 2}));
}

TEST(OnnxContent, ReadsEveryDataField) {
  const Reals wanted{1.5, -2, 0};
  const auto with = [&](const auto& store) {
    SmallModel model;
    store(model);
    return numbers<float>(node_of(added(model), "Add"), 1);
  };
  EXPECT_EQ(with([&](SmallModel& model) { model.reals("c", wanted); }), wanted);
  EXPECT_EQ(with([&](SmallModel& model) {
              initializer(model, "c", 1, {3}).set_raw_data(wanted.data(), 3 * sizeof(float));
            }),
            wanted);
  EXPECT_EQ(with([&](SmallModel& model) {
              model.node("Constant", {}, {"c"});
              auto* value = model.graph().mutable_node(0)->add_attribute();
              value->set_name("value_floats");
              value->set_type(::onnx::AttributeProto::FLOATS);
              for (const float number : wanted) value->add_floats(number);
            }),
            wanted);
  EXPECT_EQ(with([&](SmallModel& model) {
              auto& doubles = initializer(model, "d", 11, {3});
              for (const float number : wanted) doubles.add_double_data(static_cast<double>(number));
              model.node("Cast", {"d"}, {"c"}).with("to", 1);
            }),
            wanted);
}

TEST(OnnxContent, IntegersOfEveryWidth) {
  for (const int type : {2, 3, 4, 5, 6, 7, 9, 12, 13}) {
    SmallModel model;
    auto& tensor = initializer(model, "i", type, {3});
    for (const int number : {1, 0, 1}) {
      if (type == 7)
        tensor.add_int64_data(number);
      else if (type >= 12)
        tensor.add_uint64_data(static_cast<std::uint64_t>(number));
      else
        tensor.add_int32_data(number);
    }
    model.node("Cast", {"i"}, {"c"}).with("to", 1);
    EXPECT_EQ(numbers<float>(node_of(added(model), "Add"), 1), (Reals{1, 0, 1})) << "type " << type;
  }
}

TEST(OnnxContent, NarrowNegativeIntegers) {
  SmallModel model;
  auto& tensor = initializer(model, "i", 3, {3});
  for (const int number : {-128, 127, -1}) tensor.add_int32_data(number);
  model.node("Cast", {"i"}, {"c"}).with("to", 1);
  EXPECT_EQ(numbers<float>(node_of(added(model), "Add"), 1), (Reals{-128, 127, -1}));
}

TEST(OnnxContent, Fp16IsReadFromBits) {
  const std::vector<std::uint16_t> bits{0x3C00, 0xC000, 0x3555};  // 1, -2, about 1/3
  SmallModel typed;
  auto& field = initializer(typed, "c", 10, {3});
  for (const auto half : bits) field.add_int32_data(half);
  typed.input("x", {-1, 3}, 10).node("Add", {"x", "c"}, {"y"}).output("y");
  const NodeContent from_field = node_of(filled(typed), "Add");
  EXPECT_EQ(from_field.operands[1].constant->type, ElementType::float16);
  EXPECT_EQ(numbers<std::uint16_t>(from_field, 1), bits);

  SmallModel raw;
  initializer(raw, "c", 10, {3}).set_raw_data(bits.data(), 6);
  raw.input("x", {-1, 3}, 10).node("Add", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(numbers<std::uint16_t>(node_of(filled(raw), "Add"), 1), bits);
}

TEST(OnnxContent, Fp16CastsRoundTrip) {
  // 1, the maximum, the smallest positive value, and ties on both sides of an even value.
  const Reals wanted{1, 65504, 0x1p-24F, 1 + 0x1p-11F, 1 + 3 * 0x1p-11F, 65520, -0.1F};
  SmallModel model;
  model.input("x", {-1, 7}, 10).reals("wide", wanted).node("Cast", {"wide"}, {"c"}).with("to", 10);
  model.node("Cast", {"c"}, {"again"}).with("to", 1).input("z", {-1, 7});
  model.node("Add", {"x", "c"}, {"y"}).node("Sub", {"z", "again"}, {"v"}).output("y").output("v");
  const ImportedModel all = filled(model);
  EXPECT_EQ(numbers<std::uint16_t>(node_of(all, "Add"), 1),
            (std::vector<std::uint16_t>{0x3C00, 0x7BFF, 1, 0x3C00, 0x3C02, 0x7C00, 0xAE66}));
  const auto back = numbers<float>(node_of(all, "Sub"), 1);
  ASSERT_EQ(back.size(), 7U);
  EXPECT_EQ(back[1], 65504);
  EXPECT_EQ(back[2], 0x1p-24F);
  EXPECT_EQ(back[4], 1 + 0x1p-9F);
  EXPECT_EQ(back[6], -0.0999755859375F);
}

TEST(OnnxContent, FoldedArithmeticBroadcasts) {
  SmallModel model;
  auto& column = initializer(model, "column", 1, {2, 1});
  column.add_float_data(10);
  column.add_float_data(20);
  model.reals("row", {1, 2, 4}).reals("two", {2});
  model.node("Sub", {"column", "row"}, {"rest"}).node("Div", {"rest", "two"}, {"half"});
  model.node("Pow", {"half", "two"}, {"square"}).node("Sqrt", {"square"}, {"root"});
  model.node("Neg", {"root"}, {"minus"}).node("Sub", {"minus", "row"}, {"c"});
  model.input("x", {-1, 2, 3}).node("Mul", {"x", "c"}, {"y"}).output("y");
  const NodeContent product = node_of(filled(model), "Mul");
  EXPECT_EQ(numbers<float>(product, 1), (Reals{-5.5, -6, -7, -10.5, -11, -12}));
  EXPECT_EQ(product.operands[1].constant->sizes, (Integers{2, 3}));
}

TEST(OnnxContent, FoldsDataMovement) {
  SmallModel model;
  auto& table = initializer(model, "table", 1, {2, 3});
  for (const float number : {1.F, 2.F, 3.F, 4.F, 5.F, 6.F}) table.add_float_data(number);
  model.node("Transpose", {"table"}, {"transposed"});  // 1 4 / 2 5 / 3 6
  model.integers("starts", {-1}).integers("ends", {-100}).integers("axes", {0}).integers("steps", {-2});
  model.node("Slice", {"transposed", "starts", "ends", "axes", "steps"}, {"slice"});  // 3 6 / 1 4
  model.integers("order", {-1, 0}).node("Gather", {"slice", "order"}, {"selected"}).with("axis", 1);
  model.node("Concat", {"slice", "selected"}, {"concatenated"}).with("axis", 1);  // 3 6 6 3 / 1 4 4 1
  model.integers("flat", {8}).node("Reshape", {"concatenated", "flat"}, {"c"});
  model.input("x", {-1, 8}).node("Add", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(numbers<float>(node_of(filled(model), "Add"), 1), (Reals{3, 6, 6, 3, 1, 4, 4, 1}));
}

TEST(OnnxContent, MasksAreComputed) {
  SmallModel model;
  model.integers("shape", {3, 3}).reals("one", {1}).reals("low", {-9}).reals("zero", {0});
  model.node("Expand", {"one", "shape"}, {"ones"}).node("Trilu", {"ones"}, {"kept"}).with("upper", 0);
  model.node("Greater", {"kept", "zero"}, {"seen"}).node("Where", {"seen", "zero", "low"}, {"c"});
  model.input("x", {-1, 3, 3}).node("Add", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(numbers<float>(node_of(filled(model), "Add"), 1), (Reals{0, -9, -9, 0, 0, -9, 0, 0, 0}));
}

TEST(OnnxContent, FoldsLongRanges) {
  SmallModel model;
  for (const auto& [name, number] : {std::pair{"first", 0.F}, {"limit", 5000.F}, {"step", 0.5F}}) {
    initializer(model, name, 1, {}).add_float_data(number);
  }
  model.node("Range", {"first", "limit", "step"}, {"c"});
  model.input("x", {-1, 10000}).node("Add", {"x", "c"}, {"y"}).output("y");
  const auto range = numbers<float>(node_of(filled(model), "Add"), 1);
  ASSERT_EQ(range.size(), 10000U);
  EXPECT_EQ(range[9999], 4999.5F);
}

TEST(OnnxContent, ConstantsOfAllSamplesHaveBatchOne) {
  SmallModel model;
  model.input("x", {-1, 3}).node("Shape", {"x"}, {"shape"}).node("ConstantOfShape", {"shape"}, {"zeros"});
  model.reals("row", {1, 2, 3}).node("Add", {"zeros", "row"}, {"c"});
  model.node("Sub", {"x", "c"}, {"y"}).output("y");
  const NodeContent difference = node_of(filled(model), "Sub");
  EXPECT_EQ(numbers<float>(difference, 1), (Reals{1, 2, 3}));
  EXPECT_EQ(difference.operands[1].constant->sizes, (Integers{1, 3}));
}

TEST(OnnxContent, ValuesThatGrowWithTheBatchAreNotConstant) {
  SmallModel model;
  model.input("x", {-1, 3}).node("Shape", {"x"}, {"shape"}).node("ConstantOfShape", {"shape"}, {"zeros"});
  model.integers("all", {-1})
      .node("Reshape", {"zeros", "all"}, {"c"})
      .node("Reshape", {"x", "all"}, {"flat"});
  model.node("Sub", {"flat", "c"}, {"y"}).output("y");
  const ImportedModel all = filled(model);
  EXPECT_FALSE(all.content);
  EXPECT_NE(all.missing.find("\"c\" is computed by"), std::string::npos) << all.missing;
}

TEST(OnnxContent, TheBatchIsNotConstant) {
  SmallModel model;
  model.input("x", {-1, 16}).node("Shape", {"x"}, {"shape"}).integers("first", {0}, true);
  model.node("Gather", {"shape", "first"}, {"samples"}).node("Cast", {"samples"}, {"c"}).with("to", 1);
  model.node("Div", {"x", "c"}, {"y"}).output("y");
  EXPECT_FALSE(filled(model).content);
}

TEST(OnnxContent, ExtentOfARuntimeTensorIsConstant) {
  SmallModel model;
  model.input("x", {-1, 16}).node("Shape", {"x"}, {"shape"}).integers("last", {1}, true);
  model.node("Gather", {"shape", "last"}, {"width"}).node("Cast", {"width"}, {"real"}).with("to", 1);
  model.node("Sqrt", {"real"}, {"c"}).node("Div", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(numbers<float>(node_of(filled(model), "Div"), 1), (Reals{4}));
}

TEST(OnnxContent, UnsupportedFoldingIsReported) {
  SmallModel model;
  model.reals("a", {1, 2, 3}).node("Erf", {"a"}, {"c"});
  const ImportedModel all = added(model);
  EXPECT_FALSE(all.content);
  EXPECT_NE(all.missing.find("\"c\" is computed by node \"my_c\" (Erf) from constants"), std::string::npos)
      << all.missing;
  EXPECT_EQ(all.network.nodes.size(), 2U);
}

TEST(OnnxContent, MissingWeightsAreReported) {
  SmallModel model;
  model.weight("c", {3});
  const ImportedModel all = added(model);
  EXPECT_FALSE(all.content);
  EXPECT_NE(all.missing.find("\"c\": its data is missing"), std::string::npos) << all.missing;

  SmallModel listed;
  listed.input("x", {-1, 3, 4, 4}).input("w", {5, 3, 1, 1}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_NE(filled(listed).missing.find("\"w\""), std::string::npos);
}

TEST(OnnxContent, DataMustMatchTheShape) {
  SmallModel model;
  auto& tensor = initializer(model, "c", 1, {3});
  tensor.add_float_data(1);
  const ImportedModel all = added(model);
  EXPECT_FALSE(all.content);
  EXPECT_NE(all.missing.find("4 bytes of data; its shape needs 12"), std::string::npos) << all.missing;
}

TEST(OnnxContent, RuntimeInputsThatTheNetworkLacks) {
  SmallModel model;
  model.input("x", {5, -1, 1}).input("h", {1, -1, 1});
  model.node("RNN", {"x", "w", "r", "", "", "h"}, {"y"}).with("hidden_size", 1).output("y");
  for (const char* name : {"w", "r"}) initializer(model, name, 1, {1, 1, 1}).add_float_data(1);
  const ImportedModel all = filled(model);
  EXPECT_FALSE(all.content);
  EXPECT_NE(all.missing.find("input \"h\" is computed at run time"), std::string::npos) << all.missing;
}

TEST(OnnxContent, LargeWeightsAreReadFromTheFile) {
  // Larger than what an import without weights reads.
  const Reals wanted(30000, 0.5F);
  SmallModel model;
  initializer(model, "c", 1, {30000}).set_raw_data(wanted.data(), wanted.size() * sizeof(float));
  model.input("x", {-1, 30000}).node("Add", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(numbers<float>(node_of(filled(model), "Add"), 1), wanted);
}

TEST(OnnxContent, ReadsExternalData) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "onnx_content";
  std::filesystem::create_directories(folder);
  const Reals wanted(5000, 2.5F);  // more than an import without weights reads
  {
    std::ofstream data(folder / "weights.bin", std::ios::binary);
    data << "12345678";
    data.write(reinterpret_cast<const char*>(wanted.data()), 5000 * sizeof(float));
  }
  const auto imported = [&](const std::string& location, const std::string& offset) {
    SmallModel model;
    model.weight("c", {5000}).input("x", {-1, 5000}).node("Add", {"x", "c"}, {"y"}).output("y");
    auto* tensor = model.graph().mutable_initializer(0);
    for (const auto& [key, value] : {std::pair{"location", location}, {"offset", offset}}) {
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    const std::string path = folder / "model.onnx";
    std::ofstream(path, std::ios::binary) << model.proto.SerializeAsString();
    auto result = import_onnx_with_weights(path, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? std::move(*result) : ImportedModel{};
  };
  EXPECT_EQ(numbers<float>(node_of(imported("weights.bin", "8"), "Add"), 1), wanted);
  EXPECT_FALSE(imported("weights.bin", "9").content) << "one byte short";
  EXPECT_FALSE(imported("other.bin", "0").content);
  EXPECT_FALSE(imported("../onnx_content/weights.bin", "8").content) << "outside the folder";
  std::filesystem::remove_all(folder);
}

TEST(OnnxContent, NetworkEqualsImportWithoutWeights) {
  SmallModel model;
  // Its batch is found to be fixed only in the second pass.
  model.input("x", {4, 6}).reals("flat", {1, 2, 3, 4, 5, 6}).node("Add", {"x", "flat"}, {"a"});
  auto& each = initializer(model, "each", 1, {4, 6});
  for (int i = 0; i < 24; ++i) each.add_float_data(static_cast<float>(i));
  model.node("Mul", {"a", "each"}, {"y"}).output("y");
  const ImportedModel all = filled(model);
  const auto plain = model.import();
  ASSERT_TRUE(plain);
  EXPECT_TRUE(all.network.batch_is_fixed);
  ASSERT_EQ(all.network.nodes.size(), plain->nodes.size());
  for (std::size_t i = 0; i < plain->nodes.size(); ++i) {
    EXPECT_EQ(all.network.nodes[i].inputs, plain->nodes[i].inputs);
    EXPECT_EQ(all.network.nodes[i].outputs, plain->nodes[i].outputs);
  }
  EXPECT_EQ(numbers<float>(node_of(all, "Mul"), 1).at(23), 23);
}

TEST(OnnxContent, NonStandardFunctionsHaveTheirDomain) {
  SmallModel model;
  model.input("x", {-1, 3}).node("Gelu", {"x"}, {"y"}, "com.microsoft").output("y", {-1, 3});
  EXPECT_EQ(node_of(filled(model), "com.microsoft.Gelu").operands.size(), 1U);
}

}  // namespace
}  // namespace ergon::graph::onnx
