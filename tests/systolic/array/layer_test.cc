#include "systolic/array/layer.h"

#include <fstream>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "support/temporary_folder.h"

namespace ergon::systolic {
namespace {

using graph::TopologyForm;

TEST(ReadLayers, ReadsAFileAsScaleSimDoes) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "two.csv").string();
  // An unknown header means convolutions; names may repeat; "DP" is split by channel.
  std::ofstream(file) << "a,b\nx,8,8,3,3,2,4,1,\nx,8,8,3,3,2,4,1,\nyDP,8,8,3,3,2,1,1,\n";
  const auto layers = read_layers(file, std::nullopt);
  ASSERT_TRUE(layers) << layers.error().message;
  std::vector<std::string> names;
  for (const Layer& layer : *layers) names.push_back(layer.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "x", "yDPChannel_0", "yDPChannel_1"}));
}

TEST(ReadLayers, LayersOfSplitChannelsAreLimited) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "net.csv").string();
  std::ofstream(file) << "a,b\nxDP,8,8,3,3,60000,1,1,\nyDP,8,8,3,3,60000,1,1,\n";
  const auto layers = read_layers(file, std::nullopt);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().message,
            file +
                ": layer \"yDP\": its name holds DP, which makes it 60000 layers of one channel; more than "
                "100000 layers; set ERGON_INPUT_LIMITS=layers=N to raise the limit");
}

// 3 GiB, as 100 million rows have.
TEST(ReadLayers, ALargeFileIsRefused) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "net.csv").string();
  std::ofstream(file) << "Layer, M, N, K\n";
  std::filesystem::resize_file(file, std::uintmax_t{3} << 30);
  const auto layers = read_layers(file, std::nullopt);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().message,
            file + ": larger than 256 MiB; set ERGON_INPUT_LIMITS=file=SIZE to raise the limit");
}

TEST(ReadLayers, UsesTheGivenForm) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "products.csv").string();
  std::ofstream(file) << "a,b\nx,7,5,3,\n";
  EXPECT_FALSE(read_layers(file, std::nullopt));
  const auto layers = read_layers(file, TopologyForm::products);
  ASSERT_TRUE(layers) << layers.error().message;
  EXPECT_EQ(layers->front().geometry.macs(), 7 * 5 * 3);
  EXPECT_EQ(read_layers((folder / "none.csv").string(), std::nullopt).error().kind, Errc::not_found);
}

TEST(LayersOf, ANetworkInEitherForm) {
  const auto network = graph::zoo::build(**graph::zoo::find("alexnet"), {}).value();
  const auto macs = [&](TopologyForm form) {
    std::int64_t sum = 0;
    const auto layers = layers_of(network, form);
    for (const Layer& layer : *layers) sum += layer.geometry.macs();
    return sum;
  };
  EXPECT_GT(macs(TopologyForm::convolutions), 0);
  EXPECT_EQ(macs(TopologyForm::convolutions), macs(TopologyForm::products));
  EXPECT_EQ(name_of(TopologyForm::convolutions), "conv");
  EXPECT_EQ(name_of(TopologyForm::products), "gemm");
}

}  // namespace
}  // namespace ergon::systolic
