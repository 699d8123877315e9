#include <algorithm>
#include <ergon/network.h>
#include <fstream>

#include "support.h"

namespace ergon::test {
namespace {

TEST(ApiNetwork, CostsWhatTheProgramPrints) {
  const auto network = Network::load("resnet50");
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->name(), "resnet50");
  EXPECT_EQ(network->family(), "torchvision");
  EXPECT_FALSE(network->batch_is_fixed());
  const auto cost = network->cost(8, Mode::training);
  ASSERT_TRUE(cost) << cost.error().message;
  const auto printed = program_json("inspect resnet50 --batch 8 --mode training");
  const auto& totals = printed["totals"];
  EXPECT_EQ(cost->total.macs, totals["macs"]);
  EXPECT_EQ(cost->total.flops, totals["flops"]);
  EXPECT_EQ(cost->total.parameters, totals["params"]);
  EXPECT_EQ(cost->trainable_parameters, totals["trainable_params"]);
  EXPECT_EQ(cost->total.weights.si(), totals["weight_bytes"]);
  EXPECT_EQ((cost->total.activations_read + cost->total.activations_written).si(),
            totals["activation_bytes"]);
  EXPECT_EQ(cost->total.intensity(), totals["intensity_flops_per_byte"]);
}

TEST(ApiNetwork, OfResNet50HasTheKnownNumbers) {
  const auto cost = Network::load("resnet50")->cost();
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->trainable_parameters, 25'557'032);  // torchvision's documentation
  EXPECT_NEAR(static_cast<double>(cost->total.macs), 4.09e9, 0.01e9);
  EXPECT_TRUE(cost->unknown.empty());
}

TEST(ApiNetwork, SumsOperationsToLayersAndLayersToTheTotal) {
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const auto cost = Network::load("mobilenet_v2")->cost(4, mode);
    ASSERT_TRUE(cost);
    std::int64_t layer_macs = 0;
    Bytes layer_bytes;
    for (const LayerCost& layer : cost->layers) {
      std::int64_t macs = 0;
      Bytes bytes;
      for (const OperationCost& each : layer.operations)
        macs += each.cost.macs, bytes += each.cost.bytes_moved();
      EXPECT_EQ(macs, layer.cost.macs) << layer.name;
      EXPECT_EQ(bytes, layer.cost.bytes_moved()) << layer.name;
      layer_macs += layer.cost.macs;
      layer_bytes += layer.cost.bytes_moved();
    }
    EXPECT_EQ(layer_macs, cost->total.macs);
    EXPECT_EQ(layer_bytes, cost->total.bytes_moved());
  }
}

TEST(ApiNetwork, NamesLayersOperationsAndShapes) {
  const auto cost = Network::load("resnet18")->cost(2);
  ASSERT_TRUE(cost);
  const auto first = std::find_if(cost->layers.begin(), cost->layers.end(),
                                  [](const LayerCost& layer) { return layer.name == "conv1"; });
  ASSERT_NE(first, cost->layers.end());
  EXPECT_EQ(first->type, "Conv2d");
  ASSERT_EQ(first->operations.size(), 1u);
  const OperationCost& conv = first->operations[0];
  EXPECT_EQ(conv.type, "conv");
  EXPECT_EQ(conv.inputs, (std::vector<std::vector<std::int64_t>>{{2, 3, 224, 224}}));
  EXPECT_EQ(conv.outputs, (std::vector<std::vector<std::int64_t>>{{2, 64, 112, 112}}));
  EXPECT_NE(conv.attributes.find("kernel=7x7"), std::string::npos) << conv.attributes;
  EXPECT_EQ(conv.cost.macs, std::int64_t{2} * 64 * 112 * 112 * 3 * 7 * 7);
}

TEST(ApiNetwork, ReadsTopologyFiles) {
  const TemporaryFolder folder;
  const auto file = (folder / "two.csv").string();
  std::ofstream(file) << "Layer, M, N, K,\nfirst, 8, 16, 32,\nsecond, 2, 3, 4,\n";
  const auto network = Network::load(file);
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->family(), "topology");
  EXPECT_EQ(network->cost()->total.macs, 8 * 16 * 32 + 2 * 3 * 4);
}

TEST(ApiNetwork, TakesOptions) {
  NetworkOptions options;
  options.image_size = 448;
  const auto other = Network::load("resnet18", options);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_GT(other->cost()->total.macs, 3 * Network::load("resnet18")->cost()->total.macs);
}

TEST(ApiNetwork, ReportsAMissingFile) {
  const auto missing = Network::load("/no/such/file.onnx");
  ASSERT_FALSE(missing);
  if (missing.error().kind == Errc::unsupported) GTEST_SKIP() << "built without the onnx library";
  EXPECT_EQ(missing.error().kind, Errc::not_found);
}

TEST(ApiNetwork, RefusesWhatItCannotLoad) {
  const auto misspelt = Network::load("resnet5O");
  ASSERT_FALSE(misspelt);
  EXPECT_EQ(misspelt.error().kind, Errc::unknown_name);
  EXPECT_NE(misspelt.error().message.find("resnet50"), std::string::npos) << misspelt.error().message;
  NetworkOptions dimensions;
  dimensions.dimensions["height"] = 224;
  EXPECT_EQ(Network::load("resnet18", dimensions).error().kind, Errc::invalid_input);
  NetworkOptions tokens;
  tokens.sequence = 128;
  EXPECT_EQ(Network::load("resnet18", tokens).error().kind, Errc::invalid_input);
  EXPECT_EQ(Network::load("resnet18")->cost(0).error().kind, Errc::invalid_input);
}

TEST(ApiNetwork, ListsTheZoo) {
  const auto all = zoo_networks();
  EXPECT_GT(all.size(), 100u);
  const auto found = std::find_if(all.begin(), all.end(), [](const ZooNetwork& each) {
    return each.family == "torchvision" && each.name == "resnet50";
  });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->image_size, 224);
  EXPECT_EQ(found->sequence, std::nullopt);
}

}  // namespace
}  // namespace ergon::test
