#include "graph/topology.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "graph/builder.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"
#include "support/peak_memory.h"

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

TEST(Topology, ReadsScaleSimVariants) {
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
            "net.csv:1: a layer instead of a header; SCALE-Sim would skip this line");
  const auto any = parse_topology("anything\na, 3, 4, 5,\n", "net.csv", {.form = TopologyForm::products});
  EXPECT_TRUE(any);
  const auto named =
      parse_topology("name, x, y, z\na, 3, 4, 5,\n", "net.csv", {.form = TopologyForm::products});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->products, (std::vector<TopologyGemm>{{"a", 3, 4, 5}}));
}

TEST(Topology, LastPositionMayExtendBeyondTheInput) {
  // 1 x 1 with stride 2 over 56: SCALE-Sim counts 29 positions, not 28.
  const TopologyConv row{"a", 56, 56, 1, 1, 64, 256, 2, 2};
  EXPECT_EQ(row.output_height(), 29);
  const auto network = network_of({{row}, {}}, "n");
  ASSERT_TRUE(network);
  const auto costs = graph::network_costs(*network, 1, Mode::inference);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->totals.sum.macs, 29 * 29 * 64 * 256);
}

TEST(Topology, RowsRoundTripUnchanged) {
  const Topology listed{
      {{"a", 56, 56, 1, 1, 64, 256, 2, 2}, {"b", 112, 110, 3, 3, 8, 1, 2, 1}, {"c", 7, 7, 3, 3, 8, 9, 1, 1}},
      {}};
  const auto network = network_of(listed, "n");
  ASSERT_TRUE(network);
  const auto again = topology_of(*network, TopologyForm::convolutions);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->convolutions, listed.convolutions);
}

TEST(Topology, ErrorsNameLineAndReason) {
  const std::string header(kHeader);
  EXPECT_EQ(error_of(""), "net.csv: the file has no layers");
  EXPECT_EQ(error_of(header), "net.csv: the file has no layers");
  EXPECT_EQ(
      error_of(header + "a, 1, 2, 3,\n"),
      "net.csv:2: layer \"a\" has 3 numbers; expected 7: input height and width, filter height and width, "
      "channels, filters, stride");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, x, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels \"x\" is not a whole number");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 0, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels must be at least 1, not 0");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, -4, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels must be at least 1, not -4");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 4611686018427387904, 1, 1,\n"),
            "net.csv:2: layer \"a\": channels 4611686018427387904 is too large (at most 2^40)");
  EXPECT_EQ(error_of(header + "a, 8, 8, 9, 3, 1, 1, 1,\n"),
            "net.csv:2: layer \"a\": a filter of 9 x 3 does not fit in 8 x 8");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 1,\na, 8, 8, 3, 3, 1, 1, 1,\n"),
            "net.csv:3: duplicate layer \"a\"");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 0,\n"),
            "net.csv:2: layer \"a\": stride must be at least 1, not 0");
  EXPECT_EQ(error_of(header + "a, the first, 8, 8, 3, 3, 1, 1, 1,\n"),
            "net.csv:2: 9 fields for 8 columns of the header (names cannot contain commas)");
  EXPECT_EQ(error_of(header + "a, 8, 8, 3, 3, 1, 1, 1, 2:4,\n"),
            "net.csv:2: layer \"a\": sparsity 2:4 is not supported (only 1:1)");
  EXPECT_NE(error_of("some, other, csv\n1,2,3\n").find("net.csv:1: unknown header"), std::string::npos);
}

TEST(Topology, ExportPreservesMacs) {
  for (const char* name : {"resnet50", "mobilenet_v2", "vit_b_16", "resnext50_32x4d", "caffe/alexnet",
                           "hf/bert_base", "keras/nasnetmobile", "inception_v3"}) {
    const auto entry = zoo::find(name);
    ASSERT_TRUE(entry);
    const auto network = zoo::build(**entry);
    ASSERT_TRUE(network);
    const auto costs = graph::network_costs(*network, 1, Mode::inference);
    ASSERT_TRUE(costs);
    for (const auto form : {TopologyForm::convolutions, TopologyForm::products}) {
      const auto topology = topology_of(*network, form);
      ASSERT_TRUE(topology) << topology.error().message;
      const auto again = parse_topology(to_csv(*topology), "again");
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(again->convolutions, topology->convolutions);
      EXPECT_EQ(again->products, topology->products);
      const auto rows = network_of(*again, "again");
      ASSERT_TRUE(rows) << rows.error().message;
      const auto sum = graph::network_costs(*rows, 1, Mode::inference);
      ASSERT_TRUE(sum);
      EXPECT_EQ(sum->totals.sum.macs, costs->totals.sum.macs) << name;
      const auto trained = graph::network_costs(*rows, 1, Mode::training);
      const auto training = graph::network_costs(*network, 1, Mode::training);
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

TEST(Topology, ExportRejectsUnsupportedLayers) {
  const auto entry = zoo::find("scalesim/MobileNet");
  ASSERT_TRUE(entry);
  auto network = zoo::build(**entry);
  ASSERT_TRUE(network);
  for (Node& node : network->nodes) {
    if (auto* conv = std::get_if<Convolution>(&node.operation)) conv->window.dilation = {2, 2};
  }
  EXPECT_EQ(topology_of(*network, TopologyForm::convolutions).error().message,
            "layer \"Conv1\" cannot be written to a topology file: a dilated convolution");
}

TEST(Topology, BuiltInMobileNetEqualsThePublishedFile) {
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

TEST(Topology, LayersAreLimited) {
  std::string text = "Layer, M, N, K\n";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + ",1,1,1\n";
  EXPECT_TRUE(parse_topology(text, "net.csv"));
  EXPECT_EQ(error_of(text + "last,1,1,1\n"),
            "net.csv:100002: more than 100000 layers; set ERGON_INPUT_LIMITS=layers=N to raise the limit");
  InputLimits more;
  more.layers = 100'001;
  EXPECT_TRUE(parse_topology(text + "last,1,1,1\n", "net.csv", {.limits = more}));
}

// Lines and fields are not listed before they are counted.
TEST(Topology, EmptyLinesAndFieldsTakeNoMemory) {
  const std::string lines(20'000'000, '\n'), commas(20'000'000, ',');
  const test::PeakMemory memory;
  EXPECT_EQ(error_of(lines), "net.csv: the file has no layers");
  EXPECT_EQ(error_of("Layer, M, N, K\n" + commas), "net.csv:2: the line is longer than 65536 bytes");
  EXPECT_LT(memory.growth_mib().value_or(0), 64);
}

}  // namespace
}  // namespace ergon::graph
