#include "graph/topology.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "graph/builder.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph {
namespace {

constexpr std::string_view kHeader =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

std::string error_of(const std::string& text) {
  const auto topology = parse_topology(text, "net.csv");
  EXPECT_FALSE(topology);
  return topology ? "" : topology.error().message;
}

TEST(Topology, ReadsConvolutions) {
  const auto topology =
      parse_topology(std::string(kHeader) + "Conv1, 224, 224, 7, 7, 3, 64, 2,\n\nFC,1,1,1,1,512,10,1", "n");
  ASSERT_TRUE(topology);
  ASSERT_EQ(topology->convolutions.size(), 2U);
  EXPECT_EQ(topology->convolutions[0], (TopologyConv{"Conv1", 224, 224, 7, 7, 3, 64, 2, 2}));
  EXPECT_EQ(topology->convolutions[1].filters, 10) << "a last line without a comma at its end";
}

TEST(Topology, ReadsProducts) {
  const auto topology = parse_topology("Layer, M, N, K,\r\nqkv, 197, 2304, 768,\r\n", "n");
  ASSERT_TRUE(topology);
  ASSERT_EQ(topology->products.size(), 1U);
  EXPECT_EQ(topology->products[0], (TopologyGemm{"qkv", 197, 2304, 768}));
}

TEST(Topology, ReadsWhatScaleSimReads) {
  const std::string header(kHeader);
  EXPECT_TRUE(parse_topology(header + "a, 8, 8, 3, 3, 1, 1, 1, 1:1,\n", "net.csv"));
  const std::string twice = header + "a, 8, 8, 3, 3, 1, 1, 1,\na, 8, 8, 3, 3, 1, 1, 1\n";
  const auto repeated = parse_topology(twice, "net.csv", {.repeated_names = true});
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->convolutions.size(), 2U);
  EXPECT_EQ(parse_topology("a, 8, 8, 3, 3, 1, 1, 1,\nb, 8, 8, 3, 3, 1, 1, 1,\n", "net.csv",
                           {.form = TopologyForm::convolutions})
                .error()
                .message,
            "net.csv:1: a layer where the header should be; SCALE-Sim skips this line");
  const auto any = parse_topology("anything\na, 3, 4, 5,\n", "net.csv", {.form = TopologyForm::products});
  EXPECT_TRUE(any);
  const auto named =
      parse_topology("name, x, y, z\na, 3, 4, 5,\n", "net.csv", {.form = TopologyForm::products});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->products, (std::vector<TopologyGemm>{{"a", 3, 4, 5}}));
}

TEST(Topology, TheLastPlaceMayHangOver) {
  // 1 x 1 with stride 2 over 56: SCALE-Sim counts 29 places, not 28.
  const TopologyConv row{"a", 56, 56, 1, 1, 64, 256, 2, 2};
  EXPECT_EQ(row.output_height(), 29);
  const auto network = network_of({{row}, {}}, "n");
  ASSERT_TRUE(network);
  const auto bill = graph::bill(*network, 1, Mode::inference);
  ASSERT_TRUE(bill);
  EXPECT_EQ(bill->totals.sum.macs, 29 * 29 * 64 * 256);
}

TEST(Topology, AListedRowIsGivenBackAsItWas) {
  const Topology listed{
      {{"a", 56, 56, 1, 1, 64, 256, 2, 2}, {"b", 112, 110, 3, 3, 8, 1, 2, 1}, {"c", 7, 7, 3, 3, 8, 9, 1, 1}},
      {}};
  const auto network = network_of(listed, "n");
  ASSERT_TRUE(network);
  const auto again = topology_of(*network, TopologyForm::convolutions);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->convolutions, listed.convolutions);
}

TEST(Topology, SaysWhereAndWhatIsWrong) {
  const std::string header(kHeader);
  EXPECT_EQ(error_of(""), "net.csv: no layers");
  EXPECT_EQ(error_of(header), "net.csv: no layers");
  EXPECT_EQ(
      error_of(header + "a, 1, 2, 3,\n"),
      "net.csv:2: layer \"a\" has 3 numbers; 7 are wanted (input height and width, filter height and width, "
      "channels, filters, stride)");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, x, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels \"x\" is not a whole number");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 0, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels must be at least 1, not 0");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, -4, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels must be at least 1, not -4");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 4611686018427387904, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels 4611686018427387904 is beyond any layer");
  EXPECT_EQ(error_of(header + "a, 8, 8, 9, 3, 1, 1, 1,\n"),
            "net.csv:2: layer \"a\": a filter of 9 x 3 does not fit in 8 x 8");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 1,\na, 8, 8, 3, 3, 1, 1, 1,\n"),
            "net.csv:3: a second layer \"a\"");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 0,\n"),
            "net.csv:2: layer \"a\": stride must be at least 1, not 0");
  EXPECT_EQ(error_of(header + "a, the first, 8, 8, 3, 3, 1, 1, 1,\n"),
            "net.csv:2: 9 fields where the header names 8 columns; a name cannot hold a comma");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 1, 2:4,\n"),
            "net.csv:2: layer \"a\": a sparsity of 2:4 is not supported");
  EXPECT_NE(error_of("some, other, csv\n1,2,3\n").find("net.csv:1: the first line names neither form"),
            std::string::npos);
}

TEST(Topology, ExportsHaveTheNetworksMacs) {
  for (const char* name : {"resnet50", "mobilenet_v2", "vit_b_16", "resnext50_32x4d", "caffe/alexnet",
                           "hf/bert_base", "keras/nasnetmobile", "inception_v3"}) {
    const auto entry = zoo::find(name);
    ASSERT_TRUE(entry);
    const auto network = zoo::build(**entry);
    ASSERT_TRUE(network);
    const auto bill = graph::bill(*network, 1, Mode::inference);
    ASSERT_TRUE(bill);
    for (const auto form : {TopologyForm::convolutions, TopologyForm::products}) {
      const auto topology = topology_of(*network, form);
      ASSERT_TRUE(topology) << topology.error().message;
      const auto again = parse_topology(to_csv(*topology), "again");
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(again->convolutions, topology->convolutions);
      EXPECT_EQ(again->products, topology->products);
      const auto rows = network_of(*again, "again");
      ASSERT_TRUE(rows) << rows.error().message;
      const auto sum = graph::bill(*rows, 1, Mode::inference);
      ASSERT_TRUE(sum);
      EXPECT_EQ(sum->totals.sum.macs, bill->totals.sum.macs) << name;
      const auto trained = graph::bill(*rows, 1, Mode::training);
      const auto training = graph::bill(*network, 1, Mode::training);
      ASSERT_TRUE(trained && training);
      EXPECT_GT(trained->totals.sum.macs, 2 * sum->totals.sum.macs) << name;
    }
  }
}

TEST(Topology, WritesProductsOfVectors) {
  Builder b("test", "dot");
  const Tensor x = b.input("x", "Input", Shape{{4}});
  b.add("dot", "MatMul", MatrixProduct{}, {x, x});
  const auto network = b.finish({});
  ASSERT_TRUE(network);
  for (const auto form : {TopologyForm::convolutions, TopologyForm::products})
    ASSERT_TRUE(topology_of(*network, form));
  EXPECT_EQ(topology_of(*network, TopologyForm::products)->products[0], (TopologyGemm{"dot", 1, 1, 4}));
}

TEST(Topology, RefusesWhatItCannotSay) {
  const auto entry = zoo::find("scalesim/MobileNet");
  ASSERT_TRUE(entry);
  auto network = zoo::build(**entry);
  ASSERT_TRUE(network);
  for (Node& node : network->nodes) {
    if (auto* conv = std::get_if<Convolution>(&node.operation)) conv->window.dilation = {2, 2};
  }
  EXPECT_EQ(topology_of(*network, TopologyForm::convolutions).error().message,
            "layer \"Conv1\" does not fit in a topology file: a dilated convolution");
}

TEST(Topology, TheBuiltInMobileNetIsThePublishedList) {
  const auto file =
      std::filesystem::path(ERGON_REPOSITORY) / "../shared/golden/scalesim/topologies/mobilenet.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no ../shared/golden beside the repository";
  const auto text = read_file(file);
  ASSERT_TRUE(text);
  const auto published = parse_topology(*text, "mobilenet.csv");
  ASSERT_TRUE(published);
  const auto ours =
      read_file(std::filesystem::path(ERGON_REPOSITORY) / "data/networks/scalesim/MobileNet.csv");
  ASSERT_TRUE(ours);
  EXPECT_EQ(parse_topology(*ours, "ours")->convolutions, published->convolutions);
}

}  // namespace
}  // namespace ergon::graph
