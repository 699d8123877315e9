// The full reference files in ../shared/facts, with layer order and inputs. Skipped without them.

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph::zoo {
namespace {

using Json = nlohmann::json;

const std::filesystem::path kFacts = std::filesystem::path(ERGON_REPOSITORY) / "../shared/facts";

Json read(const char* name) {
  std::ifstream file(kFacts / name);
  return Json::parse(file);
}

// One layer of a reference file: type, output, parameters, MACs, and the indices of its inputs.
using Row =
    std::tuple<std::string, std::vector<std::int64_t>, std::int64_t, std::int64_t, std::vector<std::size_t>>;

std::vector<Row> rows_of(const Json& layers) {
  std::map<std::string, std::size_t> places;
  std::vector<Row> rows;
  for (const Json& layer : layers) {
    std::vector<std::size_t> inputs;
    for (const Json& input : layer[5]) inputs.push_back(places.at(input));
    places[layer[0]] = rows.size();
    rows.emplace_back(layer[1], layer[2], layer[3], layer[4], inputs);
  }
  return rows;
}

std::vector<Row> rows_of(const std::string& name) {
  const auto network = build(**find(name));
  EXPECT_TRUE(network);
  const auto costs = graph::network_costs(*network, 1, Mode::inference);
  std::map<LayerId, std::size_t> places;
  std::vector<Row> rows;
  for (const LayerCosts& row : costs->layers) {
    const Layer& layer = network->layers[row.layer];
    std::vector<std::size_t> inputs;
    for (const LayerId input : network->inputs_of(row.layer)) inputs.push_back(places.at(input));
    places[row.layer] = rows.size();
    rows.emplace_back(layer.type, *network->output_sizes(layer), row.costs.parameters, row.costs.macs,
                      inputs);
  }
  return rows;
}

class SharedFacts : public testing::Test {
  void SetUp() override {
    if (!std::filesystem::exists(kFacts)) GTEST_SKIP() << "no ../shared/facts beside the repository";
  }
};

TEST_F(SharedFacts, KerasAndBitInOrder) {
  const Json facts = read("keras_facts.json");
  EXPECT_EQ(facts.size(), 31U);
  for (const auto& [name, network] : facts.items()) {
    const std::string family = name == "alexnet" ? "caffe/" : name.starts_with("m-r") ? "bit/" : "keras/";
    EXPECT_TRUE(rows_of(family + name) == rows_of(network["layers"])) << name;
  }
}

TEST_F(SharedFacts, SlimInOrder) {
  const Json facts = read("more_facts.json")["batchsizer"];
  const std::map<std::string, std::string> names{
      {"Inception V1", "inception_v1"},     {"Inception V2", "inception_v2"},
      {"Inception V3", "inception_v3"},     {"Mobilenet-V1-1", "mobilenet_v1"},
      {"Mobilenet-V2-1", "mobilenet_v2"},   {"NASNET-Mobile", "nasnet_mobile"},
      {"PNASNET-Mobile", "pnasnet_mobile"}, {"ResNet-V2-50", "resnet_v2_50"},
      {"ResNet-V2-101", "resnet_v2_101"},   {"ResNet-V2-152", "resnet_v2_152"}};
  EXPECT_EQ(facts.size(), names.size());
  for (const auto& [name, network] : facts.items()) {
    EXPECT_TRUE(rows_of("slim/" + names.at(name)) == rows_of(network["layers"])) << name;
  }
}

TEST_F(SharedFacts, AradaInOrder) {
  const Json facts = read("more_facts.json")["arada"];
  const std::map<std::string, std::string> names{{"GoogLeNet", "caffe/googlenet"},
                                                 {"YOLOv4-tiny", "darknet/yolov4-tiny"},
                                                 {"FaceRecognitionID", "scalesim/FaceRecognitionID"},
                                                 {"FasterRCNN", "scalesim/FasterRCNN"},
                                                 {"SpeakerID", "scalesim/SpeakerID"}};
  for (const auto& [theirs, ours] : names) {
    EXPECT_TRUE(rows_of(ours) == rows_of(facts[theirs]["layers"])) << ours;
  }
}

}  // namespace
}  // namespace ergon::graph::zoo
