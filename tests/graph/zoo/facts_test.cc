// The zoo, layer by layer, against reference values from the frameworks (see README.md in this folder).

#include "graph/zoo/facts.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph::zoo {
namespace {

using Layers = std::map<std::string, std::int64_t>;  // "type output params macs" to count

struct Facts {
  std::map<std::string, Layers> networks;
};

Facts facts_of(const std::string& file) {
  Facts facts;
  for (const auto& row : test::fact_rows(file)) {
    facts.networks[row[0]][fmt::format("{} {} {} {}", row[1], row[2], row[3], row[4])] +=
        *parse_int64(row[5]);
  }
  return facts;
}

Network built(const std::string& name) {
  const auto entry = find(name);
  EXPECT_TRUE(entry) << name;
  auto network = build(**entry);
  EXPECT_TRUE(network) << (network ? "" : network.error().message);
  return std::move(*network);
}

// Maps torchvision's layer types to the Keras-like types in the reference values of resnet18.
std::string keras_word(const std::string& type) {
  static const std::map<std::string, std::string> words{
      {"Conv2d", "Conv2D"},     {"BatchNorm2d", "BatchNorm"},
      {"MaxPool2d", "MaxPool"}, {"AdaptiveAvgPool2d", "GlobalAvgPool"},
      {"add", "Add"},           {"flatten", "Flatten"},
      {"Linear", "Dense"},      {"input", "Input"}};
  const auto found = words.find(type);
  return found == words.end() ? type : found->second;
}

Layers layers_of(const Network& network, bool translated) {
  Layers layers;
  const auto costs = graph::network_costs(network, 1, Mode::inference);
  EXPECT_TRUE(costs);
  for (const LayerCosts& row : costs->layers) {
    const Layer& layer = network.layers[row.layer];
    ++layers[fmt::format("{} {} {} {}", translated ? keras_word(layer.type) : layer.type,
                         sizes_text(network.output_of(layer).shape.per_sample()), row.costs.parameters,
                         row.costs.macs)];
  }
  return layers;
}

std::string difference(const Layers& ours, const Layers& theirs) {
  std::string text;
  for (const auto& [layer, count] : ours) {
    const auto found = theirs.find(layer);
    const std::int64_t other = found == theirs.end() ? 0 : found->second;
    if (other != count) text += fmt::format("  {}: we have {}, they have {}\n", layer, count, other);
  }
  for (const auto& [layer, count] : theirs) {
    if (!ours.contains(layer)) text += fmt::format("  {}: we have none, they have {}\n", layer, count);
  }
  return text;
}

class LayerFacts : public testing::TestWithParam<const char*> {};

TEST_P(LayerFacts, EqualTheFrameworks) {
  const Facts facts = facts_of(GetParam());
  ASSERT_FALSE(facts.networks.empty());
  for (const auto& [name, theirs] : facts.networks) {
    EXPECT_EQ(difference(layers_of(built(name), name == "torchvision/resnet18"), theirs), "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, LayerFacts, testing::Values("keras.csv", "bit.csv", "slim.csv", "others.csv"));

// Leaf modules only: additions and concatenations have no module, and the projections in torchvision's
// MultiheadAttention are not separate modules. gpt2's Conv1D has no MACs in the reference values.
TEST(PyTorchFacts, EqualTheLeafModules) {
  const Facts facts = facts_of("pytorch.csv");
  ASSERT_EQ(facts.networks.size(), 20U);
  for (const auto& [name, theirs] : facts.networks) {
    const Network network = built(name);
    const auto costs = graph::network_costs(network, 1, Mode::inference);
    ASSERT_TRUE(costs);
    std::map<std::string, bool> modules;
    for (const auto& [layer, count] : theirs) modules[layer.substr(0, layer.find(' '))] = true;
    Layers ours;
    for (const LayerCosts& row : costs->layers) {
      const Layer& layer = network.layers[row.layer];
      if (!modules.contains(layer.type)) continue;
      std::int64_t trainable = 0;
      for (NodeId i = layer.first; i < layer.first + layer.count; ++i) {
        for (const Weight& weight : network.nodes[i].weights) {
          if (weight.trainable()) trainable += weight.elements().exact();
        }
      }
      const std::int64_t macs = layer.type == "Conv1D" ? 0 : row.costs.macs;
      ++ours[fmt::format("{} {} {} {}", layer.type, sizes_text(network.output_of(layer).shape.per_sample()),
                         trainable, macs)];
    }
    EXPECT_EQ(difference(ours, theirs), "") << name;
  }
}

// All products that PyTorch runs, in modules and functions.
TEST(PyTorchFacts, EqualTheFlopCounter) {
  const auto rows = test::fact_rows("pytorch_totals.csv");
  ASSERT_EQ(rows.size(), 81U);
  for (const auto& row : rows) {
    const Network network = built(row[0]);
    EXPECT_EQ(graph::network_costs(network, 1, Mode::training)->totals.trainable, *parse_int64(row[1]))
        << row[0];
    std::int64_t expected = *parse_int64(row[2]);
    // transformers computes the rotary angles at run time (32 frequencies x 128 positions); here they are
    // constants.
    if (row[0] == "hf/llama_1b_like") expected -= std::int64_t{32} * 128;
    EXPECT_EQ(graph::network_costs(network, 1, Mode::inference)->totals.sum.macs, expected) << row[0];
  }
}

TEST(TotalFacts, EqualTheSums) {
  const auto rows = test::fact_rows("totals.csv");
  ASSERT_EQ(rows.size(), 44U);
  for (const auto& row : rows) {
    const auto entry = find(row[0]);
    ASSERT_TRUE(entry) << row[0];
    const Network network = built(row[0]);
    const auto costs = graph::network_costs(network, 1, Mode::inference);
    ASSERT_TRUE(costs);
    EXPECT_EQ(neurons(**entry, network, *costs), *parse_int64(row[1])) << row[0];
    EXPECT_EQ(costs->totals.activations, *parse_int64(row[2])) << row[0];
    EXPECT_EQ(costs->totals.sum.parameters, *parse_int64(row[3])) << row[0];
    if (!row[4].empty()) {
      EXPECT_EQ(costs->totals.trainable, *parse_int64(row[4])) << row[0];
    }
    EXPECT_EQ(costs->totals.sum.macs, *parse_int64(row[5])) << row[0];
    EXPECT_EQ(depth(network), *parse_int64(row[6])) << row[0];
  }
}

}  // namespace
}  // namespace ergon::graph::zoo
