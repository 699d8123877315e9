#include "calibrate/torch_operation.h"

#include <ostream>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "graph/cost.h"
#include "graph/summary.h"

namespace ergon::calibrate {
namespace {

struct PrintedModule {
  const char* module;
  const char* extents;
  const char* kind;  // as tables name it
  std::vector<std::int64_t> output;
  std::int64_t weights = 0;

  friend void PrintTo(const PrintedModule& each, std::ostream* out) { *out << each.module; }
};

const graph::Node& last(const TorchOperation& operation) { return operation.network.nodes.back(); }

template <typename T>
T as(const char* module, const char* extents) {
  const auto operation = torch_operation(module, extents);
  EXPECT_TRUE(operation) << operation.error().message;
  return std::get<T>(last(*operation).operation);
}

class Modules : public testing::TestWithParam<PrintedModule> {};

TEST_P(Modules, AreParsedAsPyTorchPrintsThem) {
  const auto operation = torch_operation(GetParam().module, GetParam().extents);
  ASSERT_TRUE(operation) << operation.error().message;
  const graph::Network& network = operation->network;
  EXPECT_EQ(graph::kind_of(last(*operation).operation, network.input_shapes(last(*operation))),
            GetParam().kind);
  EXPECT_EQ(network.values[network.outputs.at(0)].shape.at(operation->batch), GetParam().output);
  std::int64_t weights = 0;
  for (const graph::Weight& weight : last(*operation).weights)
    weights += weight.shape.elements(operation->batch).exact();
  EXPECT_EQ(weights, GetParam().weights);
}

INSTANTIATE_TEST_SUITE_P(
    TorchOperation, Modules,
    testing::Values(
        PrintedModule{"Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)",
                      "(32, 3, 56, 56)",
                      "conv",
                      {32, 64, 28, 28},
                      3 * 64 * 49},
        PrintedModule{"Conv2d(64, 128, kernel_size=(1, 1), stride=(1, 1))",
                      "(8, 64, 7, 7)",
                      "conv",
                      {8, 128, 7, 7},
                      64 * 128 + 128},
        PrintedModule{
            "Conv2d(32, 32, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=32, bias=False)",
            "(1, 32, 14, 14)",
            "depthwise_conv",
            {1, 32, 14, 14},
            32 * 9},
        PrintedModule{"Conv2d(16, 16, kernel_size=(3, 3), stride=(1, 1), padding=(2, 2), dilation=(2, 2))",
                      "(2, 16, 20, 20)",
                      "conv",
                      {2, 16, 20, 20},
                      16 * 16 * 9 + 16},
        PrintedModule{"Conv2d(128, 192, kernel_size=(1, 7), stride=(1, 1), padding=(0, 3), bias=False)",
                      "(4, 128, 12, 12)",
                      "conv",
                      {4, 192, 12, 12},
                      128 * 192 * 7},
        PrintedModule{"Linear(in_features=512, out_features=1000, bias=True)",
                      "(32, 512)",
                      "dense",
                      {32, 1000},
                      512 * 1000 + 1000},
        PrintedModule{"Linear(in_features=96, out_features=384, bias=False)",
                      "(2, 56, 56, 96)",
                      "dense",
                      {2, 56, 56, 384},
                      96 * 384},
        PrintedModule{"BatchNorm2d(64, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
                      "(32, 64, 28, 28)",
                      "batch_norm",
                      {32, 64, 28, 28},
                      4 * 64},
        PrintedModule{"LayerNorm((768,), eps=1e-06, elementwise_affine=True)",
                      "(8, 197, 768)",
                      "layer_norm",
                      {8, 197, 768},
                      2 * 768},
        PrintedModule{"MaxPool2d(kernel_size=3, stride=2, padding=1, dilation=1, ceil_mode=False)",
                      "(32, 64, 112, 112)",
                      "max_pool",
                      {32, 64, 56, 56}},
        PrintedModule{"MaxPool2d(kernel_size=3, stride=2, padding=0, dilation=1, ceil_mode=True)",
                      "(32, 64, 112, 112)",
                      "max_pool",
                      {32, 64, 56, 56}},
        PrintedModule{"MaxPool2d(kernel_size=3, stride=2, padding=0, dilation=1, ceil_mode=False)",
                      "(32, 64, 112, 112)",
                      "max_pool",
                      {32, 64, 55, 55}},
        PrintedModule{"AvgPool2d(kernel_size=2, stride=2, padding=0)",
                      "(32, 256, 14, 14)",
                      "average_pool",
                      {32, 256, 7, 7}},
        PrintedModule{"AdaptiveAvgPool2d(output_size=(7, 7))",
                      "(32, 512, 9, 9)",
                      "adaptive_average_pool",
                      {32, 512, 7, 7}},
        PrintedModule{
            "AdaptiveAvgPool2d(output_size=1)", "(32, 512, 9, 9)", "adaptive_average_pool", {32, 512, 1, 1}},
        PrintedModule{"ReLU(inplace=True)", "(32, 64, 28, 28)", "relu", {32, 64, 28, 28}},
        PrintedModule{"ReLU()", "(32, 4096)", "relu", {32, 4096}},
        PrintedModule{"ReLU6(inplace=True)", "(32, 64, 28, 28)", "relu6", {32, 64, 28, 28}},
        PrintedModule{"GELU(approximate='none')", "(8, 197, 3072)", "gelu", {8, 197, 3072}},
        PrintedModule{"SiLU(inplace=True)", "(8, 16, 4, 4)", "swish", {8, 16, 4, 4}},
        PrintedModule{"Sigmoid()", "(8, 16, 1, 1)", "sigmoid", {8, 16, 1, 1}},
        PrintedModule{"Hardswish()", "(8, 16, 4, 4)", "hard_swish", {8, 16, 4, 4}},
        PrintedModule{"Hardsigmoid()", "(8, 16, 1, 1)", "hard_sigmoid", {8, 16, 1, 1}},
        PrintedModule{"Tanh()", "(8, 16)", "tanh", {8, 16}},
        PrintedModule{"StochasticDepth(p=0.2, mode=row)", "(8, 16, 4, 4)", "dropout", {8, 16, 4, 4}},
        PrintedModule{"StochasticDepth(p=0.0, mode=row)", "(8, 16, 4, 4)", "identity", {8, 16, 4, 4}},
        PrintedModule{"Dropout(p=0.5, inplace=False)", "(8, 4096)", "dropout", {8, 4096}},
        PrintedModule{"Dropout(p=0.0, inplace=False)", "(8, 4096)", "identity", {8, 4096}},
        PrintedModule{"  ReLU( inplace=True )  ", " ( 2,3 , 4 ) ", "relu", {2, 3, 4}}),
    [](const auto& each) {
      std::string name = std::to_string(each.index) + "_";
      for (const char* c = each.param.module; *c != '('; ++c) {
        if (*c != ' ') name += *c;
      }
      return name;
    });

TEST(TorchOperation, ParsesTheWindow) {
  const auto conv = as<graph::Convolution>(
      "Conv2d(8, 16, kernel_size=(3, 5), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=4, "
      "bias=False)",
      "(2, 8, 30, 30)");
  EXPECT_EQ(conv.window.kernel, (graph::Extent{3, 5}));
  EXPECT_EQ(conv.window.stride, (graph::Extent{2, 1}));
  EXPECT_EQ(conv.window.pad_begin, (graph::Extent{1, 2}));
  EXPECT_EQ(conv.window.pad_end, (graph::Extent{1, 2}));
  EXPECT_EQ(conv.window.dilation, (graph::Extent{1, 2}));
  EXPECT_EQ(conv.groups, 4);
  EXPECT_EQ(conv.out_channels, 16);
  EXPECT_FALSE(conv.bias);
}

TEST(TorchOperation, ParsesNormsOverSeveralDimensions) {
  EXPECT_EQ(
      as<graph::LayerNorm>("LayerNorm((14, 14), eps=1e-05, elementwise_affine=True)", "(2, 8, 14, 14)").axes,
      2U);
}

TEST(TorchOperation, TheFirstDimensionIsTheBatch) {
  const auto operation = torch_operation("ReLU()", "(48, 64, 28, 28)").value();
  EXPECT_EQ(operation.batch, 48);
  const graph::Network& network = operation.network;
  EXPECT_EQ(network.values[network.outputs.at(0)].shape.at(2), (std::vector<std::int64_t>{2, 64, 28, 28}));
}

TEST(TorchOperation, TrainingComputesTheGradientOfItsInput) {
  const auto operation = torch_operation("ReLU()", "(48, 64)").value();
  const auto wanted = graph::needs_input_gradient(operation.network);
  EXPECT_TRUE(wanted.at(operation.network.nodes.size() - 1));
}

struct InvalidModule {
  const char* name;
  const char* module;
  const char* extents;
  const char* says;

  friend void PrintTo(const InvalidModule& each, std::ostream* out) { *out << each.name; }
};

class InvalidModules : public testing::TestWithParam<InvalidModule> {};

TEST_P(InvalidModules, AreRejectedWithAMessage) {
  const auto operation = torch_operation(GetParam().module, GetParam().extents);
  ASSERT_FALSE(operation);
  EXPECT_EQ(operation.error().kind, Errc::invalid_input);
  EXPECT_NE(operation.error().message.find(GetParam().says), std::string::npos) << operation.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    TorchOperation, InvalidModules,
    testing::Values(
        InvalidModule{"Nothing", "", "(1, 2)", "not a module"},
        InvalidModule{"Words", "a relu", "(1, 2)", "not a module"},
        InvalidModule{"HalfAModule", "Conv2d(3, 64, kernel_size=(7, 7)", "(1, 3, 9, 9)",
                      "not a supported module"},
        InvalidModule{"AnOpenParenthesis", "ReLU(", "(1, 2)", "not a module"},
        InvalidModule{"Backwards", ")ReLU(", "(1, 2)", "not a module"},
        InvalidModule{"AnUnknownModule", "Bilinear(in_features=3)", "(1, 3)", "Bilinear"},
        InvalidModule{"AnotherCase", "relu(inplace=True)", "(1, 3)", "relu"},
        InvalidModule{"NoChannels", "Conv2d(kernel_size=(3, 3))", "(1, 3, 9, 9)", "not a supported module"},
        InvalidModule{"ChannelsInWords", "Conv2d(3, many, kernel_size=(3, 3))", "(1, 3, 9, 9)",
                      "not a supported module"},
        InvalidModule{"AKernelOfThreeAxes", "Conv2d(3, 8, kernel_size=(3, 3, 3))", "(1, 3, 9, 9)",
                      "not a supported module"},
        InvalidModule{"AKernelInWords", "MaxPool2d(kernel_size=large)", "(1, 3, 9, 9)",
                      "not a supported module"},
        InvalidModule{"PaddingInWords", "Conv2d(3, 8, kernel_size=(3, 3), padding=same)", "(1, 3, 9, 9)",
                      "not a supported module"},
        InvalidModule{"FractionsOfGroups", "Conv2d(4, 8, kernel_size=(3, 3), groups=1.5)", "(1, 4, 9, 9)",
                      "not a supported module"},
        InvalidModule{"NormsOfNothing", "LayerNorm(eps=1e-05)", "(1, 3)", "not a supported module"},
        InvalidModule{"FeaturesInWords", "Linear(in_features=3, out_features=x)", "(1, 3)",
                      "not a supported module"},
        InvalidModule{"NoExtents", "ReLU()", "", "not a tensor shape"},
        InvalidModule{"EmptyExtents", "ReLU()", "()", "not a tensor shape"},
        InvalidModule{"ExtentsInWords", "ReLU()", "(a, b)", "not a tensor shape"},
        InvalidModule{"NoBatch", "ReLU()", "(0, 3)", "not a tensor shape"},
        InvalidModule{"NegativeExtents", "ReLU()", "(1, -3)", "not a tensor shape"},
        InvalidModule{"ExtentsBeyondCounting", "ReLU()", "(1, 99999999999999999999)", "not a tensor shape"},
        InvalidModule{"TooManyExtents", "ReLU()", "(1,1,1,1,1,1,1,1,1,1,1,1)", "not a tensor shape"}),
    [](const auto& each) { return std::string(each.param.name); });

struct ShapeMismatch {
  const char* name;
  const char* module;
  const char* extents;

  friend void PrintTo(const ShapeMismatch& each, std::ostream* out) { *out << each.name; }
};

class MismatchedShapes : public testing::TestWithParam<ShapeMismatch> {};

TEST_P(MismatchedShapes, FailAndNameTheModule) {
  const auto operation = torch_operation(GetParam().module, GetParam().extents);
  ASSERT_FALSE(operation);
  const std::string name(GetParam().module, std::string_view(GetParam().module).find('('));
  EXPECT_NE(operation.error().message.find(name), std::string::npos) << operation.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    TorchOperation, MismatchedShapes,
    testing::Values(
        ShapeMismatch{"AnImageForAFlatConvolution", "Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1))",
                      "(1, 3)"},
        ShapeMismatch{"AKernelLargerThanTheImage", "Conv2d(3, 8, kernel_size=(9, 9), stride=(1, 1))",
                      "(1, 3, 4, 4)"},
        ShapeMismatch{"GroupsThatDoNotDivide", "Conv2d(6, 8, kernel_size=(1, 1), stride=(1, 1), groups=4)",
                      "(1, 6, 4, 4)"},
        ShapeMismatch{"NoGroups", "Conv2d(6, 8, kernel_size=(1, 1), stride=(1, 1), groups=0)",
                      "(1, 6, 4, 4)"},
        ShapeMismatch{"NegativeGroups", "Conv2d(6, 8, kernel_size=(1, 1), stride=(1, 1), groups=-2)",
                      "(1, 6, 4, 4)"},
        ShapeMismatch{"NoStride", "Conv2d(6, 8, kernel_size=(1, 1), stride=(0, 0))", "(1, 6, 4, 4)"},
        ShapeMismatch{"NoKernel", "MaxPool2d(kernel_size=0, stride=1)", "(1, 6, 4, 4)"},
        ShapeMismatch{"NoDilation", "Conv2d(6, 8, kernel_size=(3, 3), dilation=(0, 0))", "(1, 6, 4, 4)"},
        ShapeMismatch{"NoOutput", "Conv2d(6, 0, kernel_size=(1, 1), stride=(1, 1))", "(1, 6, 4, 4)"},
        ShapeMismatch{"NegativeOutput", "Conv2d(6, -8, kernel_size=(1, 1), stride=(1, 1))", "(1, 6, 4, 4)"},
        ShapeMismatch{"NoFeatures", "Linear(in_features=3, bias=True)", "(1, 3)"},
        ShapeMismatch{"NegativeFeatures", "Linear(in_features=3, out_features=-1)", "(1, 3)"},
        ShapeMismatch{"PoolingToNothing", "AdaptiveAvgPool2d(output_size=(0, 0))", "(1, 3, 4, 4)"},
        ShapeMismatch{"PoolingOfNoImage", "AdaptiveAvgPool2d(output_size=(1, 1))", "(1, 3)"},
        ShapeMismatch{"NormsOfMoreAxesThanThereAre", "LayerNorm((2, 3, 4, 5), eps=1)", "(1, 3)"},
        ShapeMismatch{"OtherChannelsOfAConvolution", "Conv2d(3, 8, kernel_size=(1, 1), stride=(1, 1))",
                      "(1, 6, 4, 4)"},
        ShapeMismatch{"OtherFeaturesOfADenseLayer", "Linear(in_features=5, out_features=2)", "(1, 3)"},
        ShapeMismatch{"OtherChannelsOfANorm", "BatchNorm2d(64, eps=1e-05)", "(1, 32, 4, 4)"},
        ShapeMismatch{"OtherExtentsOfANorm", "LayerNorm((768,), eps=1e-06)", "(1, 4, 512)"}),
    [](const auto& each) { return std::string(each.param.name); });

std::vector<std::int64_t> output_of(const TorchOperation& operation) {
  const graph::Network& network = operation.network;
  return network.values[network.outputs.at(0)].shape.at(operation.batch);
}

// A convolution with arbitrary numbers, valid or not, and what PyTorch would make of it.
struct AnyConvolution {
  std::int64_t batch, channels, height, width;  // of the input
  std::int64_t in, out, kernel[2], stride[2], padding[2], groups;

  explicit AnyConvolution(Random& random) {
    const auto below = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random.below(bound)); };
    batch = below(9);
    channels = 2 * below(4);
    height = below(12);
    width = below(12);
    in = random.below(4) == 0 ? below(8) : channels;
    out = 2 * below(5);
    groups = below(3);
    for (const std::size_t side : {0U, 1U}) {
      kernel[side] = below(7);
      stride[side] = below(4);
      padding[side] = below(3);
    }
  }

  std::string module() const {
    return fmt::format(
        "Conv2d({}, {}, kernel_size=({}, {}), stride=({}, {}), padding=({}, {}), groups={}, bias=False)", in,
        out, kernel[0], kernel[1], stride[0], stride[1], padding[0], padding[1], groups);
  }
  std::string extents() const { return fmt::format("({}, {}, {}, {})", batch, channels, height, width); }

  // Empty if PyTorch would reject it.
  std::vector<std::int64_t> output() const {
    const bool positive = batch > 0 && channels > 0 && height > 0 && width > 0 && out > 0 && groups > 0;
    if (!positive || in != channels || in % groups != 0 || out % groups != 0) return {};
    std::vector<std::int64_t> sizes{batch, out};
    for (const auto& [side, size] : {std::pair{0U, height}, {1U, width}}) {
      const std::int64_t padded = size + 2 * padding[side];
      if (kernel[side] < 1 || stride[side] < 1 || padded < kernel[side]) return {};
      sizes.push_back((padded - kernel[side]) / stride[side] + 1);
    }
    return sizes;
  }
};

TEST(TorchOperation, ParsesOrRejectsAnyNumbers) {
  Random random(9);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const AnyConvolution any(random);
    const auto operation = torch_operation(any.module(), any.extents());
    const auto expected = any.output();
    ASSERT_EQ(static_cast<bool>(operation), !expected.empty()) << any.module() << any.extents();
    if (!operation) continue;
    ++accepted;
    ASSERT_EQ(output_of(*operation), expected) << any.module() << any.extents();
    const auto weights = last(*operation).weights.at(0).shape.elements(1).exact();
    ASSERT_EQ(weights, any.out * any.in / any.groups * any.kernel[0] * any.kernel[1]) << any.module();
  }
  EXPECT_GT(accepted, 1000);
}

// Unknown arguments are ignored, so that a changed text may be a valid module. It is never another operation,
// and its input is the given one.
TEST(TorchOperation, ParsesOrRejectsAnyText) {
  constexpr std::string_view kAlphabet = "Conv2d(=,)Linear16 -eLUg\n\x1b";
  const std::regex shape(R"(\( *(\d+), *(\d+), *(\d+), *(\d+) *\))"), channels(R"(Conv2d\( *(\d+),[^]*)");
  Random random(9);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string module =
        "Conv2d(4, 8, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), groups=2, bias=False)";
    std::string extents = "(32, 4, 56, 56)";
    for (std::string* text : {&module, &extents}) {
      for (std::uint64_t left = random.below(4); left > 0; --left)
        (*text)[random.below(text->size())] = kAlphabet[random.below(kAlphabet.size())];
    }
    const auto operation = torch_operation(module, extents);
    if (!operation) {
      const std::string& message = operation.error().message;
      ASSERT_GT(message.size(), 10U);
      for (const char c : message) ASSERT_TRUE(c >= ' ' && c != '\x7f') << message;
      continue;
    }
    ++accepted;
    std::smatch declared, sizes;
    ASSERT_TRUE(std::regex_match(module, declared, channels)) << module;
    ASSERT_TRUE(std::holds_alternative<graph::Convolution>(last(*operation).operation)) << module;
    if (!std::regex_match(extents, sizes, shape)) continue;  // "(32, 4,,56, 56)" is accepted, too
    ASSERT_EQ(operation->batch, std::stoll(sizes[1])) << extents;
    ASSERT_EQ(sizes[2], declared[1]) << module << extents;
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace ergon::calibrate
