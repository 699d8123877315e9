// Memory of networks beside PyTorch's: data/measured/h200-memory.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/si_prefixes.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "graph/builder.h"
#include "graph/zoo/zoo.h"

namespace ergon::device {
namespace {

using graph::Mode;

graph::Network zoo(const std::string& name) { return graph::zoo::build(**graph::zoo::find(name)).value(); }

struct MeasuredPeak {
  std::string network, mode, precision;
  std::int64_t batch = 0;
  double bytes = 0;
};

std::vector<MeasuredPeak> measured_peaks() {
  std::ifstream file(ERGON_REPOSITORY "/data/measured/h200-memory/peaks.csv");
  std::vector<MeasuredPeak> peaks;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    MeasuredPeak peak;
    std::string batch, bytes;
    std::getline(cells, peak.network, ',');
    std::getline(cells, batch, ',');
    std::getline(cells, peak.mode, ',');
    std::getline(cells, peak.precision, ',');
    std::getline(cells, bytes, ',');
    peak.batch = std::stoll(batch);
    peak.bytes = std::stod(bytes);
    peaks.push_back(peak);
  }
  return peaks;
}

// The rest is workspace of cuBLAS and cuDNN, which is not modeled but for channels-last copies.
TEST(ActivationMemory, IsNearThePeaksThatPytorchMeasured) {
  const double workspace = 150 * kMebi;
  const auto peaks = measured_peaks();
  ASSERT_GE(peaks.size(), 30u);
  for (const MeasuredPeak& peak : peaks) {
    const Mode mode = peak.mode == "training" ? Mode::training : Mode::inference;
    const auto work =
        workload_of(zoo(peak.network), peak.batch, mode, precision_named(peak.precision).value()).value();
    EXPECT_NEAR(work.memory().si(), peak.bytes, 0.12 * peak.bytes + workspace)
        << peak.network << " " << peak.mode << " " << peak.precision;
  }
}

// It ran there; all outputs together would need 12.97 GiB.
TEST(ActivationMemory, SwinBTrainsAtBatch32On11GiB) {
  const auto gpu = find_device("rtx2080ti").value();
  const auto work = workload_of(zoo("swin_b"), 32, Mode::training, Precision::fp32).value();
  const auto memory = memory_on(work, gpu);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_LT(memory->si(), 10 * kGibi);
}

// Four dense layers. Weights and tensors in float64 have twice the bytes, unless 16 bits are requested.
TEST(ActivationMemory, CountsTheBytesOfFloat64) {
  const auto memory = [](graph::ElementType type, Precision precision, Mode mode) {
    graph::Builder b("onnx", "mlp");
    auto x = b.input("x", "Input", graph::Shape::batch_of({1024}), type);
    for (int i = 0; i < 4; ++i)
      x = b.add("dense_" + std::to_string(i), "MatMul", graph::Dense{1024, false}, {x});
    auto network = b.finish({x}).value();
    for (graph::Node& node : network.nodes) {
      for (graph::Weight& weight : node.weights) weight.type = type;
    }
    return workload_of(network, 64, mode, precision).value();
  };
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const auto single = memory(graph::ElementType::float32, Precision::tf32, mode);
    const auto wide = memory(graph::ElementType::float64, Precision::tf32, mode);
    EXPECT_DOUBLE_EQ(wide.weights.si(), 2 * single.weights.si());
    EXPECT_DOUBLE_EQ(wide.activations.si(), 2 * single.activations.si());
    const auto half = memory(graph::ElementType::float64, Precision::fp16, mode);
    EXPECT_DOUBLE_EQ(half.weights.si(), single.weights.si() / 2);
    EXPECT_DOUBLE_EQ(half.activations.si(), single.activations.si() / 2);
  }
}

// One step of attention: a query of one token and past keys of many.
graph::Network decode_step(std::int64_t context) {
  graph::Builder b("onnx", "decode");
  const auto heads = [&](std::int64_t rows, std::int64_t columns) {
    return graph::Shape{graph::Dim::batch(), {32}, {rows}, {columns}};
  };
  const auto query = b.input("query", "Input", heads(1, 128));
  const auto keys = b.input("past_keys", "Input", heads(128, context));
  const auto values = b.input("past_values", "Input", heads(context, 128));
  const auto scores = b.add("scores", "MatMul", graph::MatrixProduct{}, {query, keys});
  const auto weights = b.add("softmax", "Softmax", graph::Softmax{-1}, {scores});
  return b.finish({b.add("sum", "MatMul", graph::MatrixProduct{}, {weights, values})}).value();
}

TEST(ActivationMemory, CountsThePastKeysOfADecodeStep) {
  constexpr std::int64_t kContext = 65536, kBatch = 256;
  const auto work = workload_of(decode_step(kContext), kBatch, Mode::inference, Precision::fp16).value();
  const double past = 2.0 * kBatch * 32 * kContext * 128 * 2;  // keys and values
  EXPECT_GT(work.activations.si(), past);
  EXPECT_LT(work.activations.si(), 1.01 * past);
  EXPECT_EQ(memory_on(work, find_device("h200").value()).error().kind, Errc::out_of_memory);
}

TEST(ActivationMemory, DoesNotCountTheScoresOfFusedAttention) {
  constexpr std::int64_t kTokens = 65536;
  graph::Builder b("onnx", "prefill");
  const auto shape = graph::Shape{graph::Dim::batch(), {16}, {kTokens}, {64}};
  const auto transposed = graph::Shape{graph::Dim::batch(), {16}, {64}, {kTokens}};
  const auto query = b.input("query", "Input", shape), keys = b.input("keys", "Input", transposed),
             values = b.input("values", "Input", shape);
  const auto scores = b.add("scores", "MatMul", graph::MatrixProduct{}, {query, keys});
  const auto weights = b.add("softmax", "Softmax", graph::Softmax{-1}, {scores});
  const auto network = b.finish({b.add("sum", "MatMul", graph::MatrixProduct{}, {weights, values})}).value();
  const double tensor = 16.0 * kTokens * 64 * 4;
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const auto work = workload_of(network, 1, mode, Precision::tf32).value();
    EXPECT_GE(work.activations.si(), 4 * tensor);
    EXPECT_LT(work.activations.si(), 8 * tensor);
  }
}

// Views share the memory of their base, and a tensor is freed after its last reader.
TEST(ActivationMemory, OfAChainIsThatOfTwoTensors) {
  graph::Builder b("onnx", "chain");
  auto x = b.input("x", "Input", graph::Shape::batch_of({1 << 20}));
  const graph::Elementwise gelu{graph::Function::gelu};
  for (int i = 0; i < 20; ++i) {
    x = b.add(b.numbered("gelu"), "Gelu", gelu, {x});
    x = b.add(b.numbered("view"), "Reshape", graph::Reshape{graph::Shape::batch_of({1 << 10, 1 << 10})}, {x});
    x = b.add(b.numbered("back"), "Reshape", graph::Reshape{graph::Shape::batch_of({1 << 20})}, {x});
  }
  const auto network = b.finish({x}).value();
  const double tensor = (1 << 20) * 4.0;
  const auto inference = workload_of(network, 1, Mode::inference, Precision::fp32).value();
  // The network's input and output live throughout.
  EXPECT_DOUBLE_EQ(inference.activations.si(), 4 * tensor);
  // The input of each GELU is saved.
  const auto training = workload_of(network, 1, Mode::training, Precision::fp32).value();
  EXPECT_NEAR(training.activations.si(), 22 * tensor, 2 * tensor);
}

// Each row of a topology file is run alone.
TEST(ActivationMemory, OfIndependentLayersIsThatOfTheLargest) {
  const auto rows = [](int count) {
    graph::Builder b("topology", "rows");
    for (int i = 0; i < count; ++i) {
      const auto x = b.input(b.numbered("x"), "Input", graph::Shape::batch_of({1 << 20}));
      b.add(b.numbered("gelu"), "Gelu", graph::Elementwise{graph::Function::gelu}, {x});
    }
    b.network().independent_layers = true;
    return workload_of(b.finish({}).value(), 8, Mode::inference, Precision::fp32).value().activations;
  };
  EXPECT_EQ(rows(50), rows(1));
}

// A framework computes in place only what nothing else reads.
TEST(ActivationMemory, OfAReluWhoseInputIsReadAgainIsTwoTensors) {
  graph::Builder b("onnx", "residual");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({1 << 20}));
  const auto a = b.add("gelu", "Gelu", graph::Elementwise{graph::Function::gelu}, {x});
  const auto y = b.add("relu", "Relu", graph::Elementwise{graph::Function::relu}, {a});
  const auto sum = b.add("add", "Add", graph::Arithmetic{graph::Combine::add}, {a, y});
  const auto work = workload_of(b.finish({sum}).value(), 1, Mode::inference, Precision::fp32).value();
  EXPECT_DOUBLE_EQ(work.activations.si(), 4 * (1 << 20) * 4.0);
}

// Keys that are repeated for groups of queries are copied.
TEST(ActivationMemory, CountsExpandedKeysThatAreReshaped) {
  graph::Builder b("onnx", "repeat");
  const auto x = b.input("x", "Input", graph::Shape{graph::Dim::batch(), {8}, {1}, {1024}});
  const auto wide =
      b.add("expand", "Expand", graph::Expand{graph::Shape{graph::Dim::batch(), {8}, {4}, {1024}}}, {x});
  const auto flat =
      b.add("reshape", "Reshape", graph::Reshape{graph::Shape{graph::Dim::batch(), {32}, {1024}}}, {wide});
  const auto y = b.add("gelu", "Gelu", graph::Elementwise{graph::Function::gelu}, {flat});
  const auto work = workload_of(b.finish({y}).value(), 1, Mode::inference, Precision::fp32).value();
  EXPECT_DOUBLE_EQ(work.activations.si(), (8 + 32 + 32) * 1024 * 4.0);
}

TEST(ActivationMemory, GrowsInProportionToTheBatch) {
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const auto one = workload_of(zoo("resnet50"), 1, mode, Precision::tf32).value();
    const auto many = workload_of(zoo("resnet50"), 64, mode, Precision::tf32).value();
    EXPECT_NEAR(many.activations.si(), 64 * one.activations.si(), 1e-6 * many.activations.si());
  }
}

}  // namespace
}  // namespace ergon::device
