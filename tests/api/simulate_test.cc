#include <algorithm>
#include <ergon/simulate.h>
#include <sstream>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

struct Golden {
  std::int64_t cycles = 0, stalls = 0;
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');)
    fields.push_back(field.substr(field.find_first_not_of(' ')));
  return fields;
}

// The report that SCALE-Sim wrote.
std::vector<Golden> golden_report(const std::string& run) {
  std::ifstream in(std::string(ERGON_REPOSITORY) + "/tests/golden/scalesim/" + run + "/COMPUTE_REPORT.csv");
  std::string line;
  std::getline(in, line);
  const auto header = fields_of(line);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  const std::size_t cycles = column("Total Cycles"), stalls = column("Stall Cycles");
  std::vector<Golden> rows;
  while (std::getline(in, line)) {
    const auto fields = fields_of(line);
    rows.push_back({std::stoll(fields.at(cycles)), std::stoll(fields.at(stalls))});
  }
  return rows;
}

Accelerator edge_array() {
  Accelerator edge;
  edge.rows = edge.columns = 64;
  edge.ifmap_words = edge.ofmap_words = 1024 * 1024;
  edge.filter_words = 2048 * 1024;
  return edge;
}

TEST(ApiSimulate, EqualsScaleSim) {
  const auto network = Network::load(std::string(ERGON_REPOSITORY) + "/data/networks/scalesim/MobileNet.csv");
  ASSERT_TRUE(network) << network.error().message;
  struct Case {
    const char* run;
    Semantics semantics;
    Dataflow dataflow;
    std::optional<double> words;
  };
  for (const Case& each : {Case{"v3_os_calc", Semantics::v3, Dataflow::output_stationary, {}},
                           Case{"v3_ws_calc", Semantics::v3, Dataflow::weight_stationary, {}},
                           Case{"v2-2021_os_user", Semantics::v2_2021, Dataflow::output_stationary, 20}}) {
    Accelerator edge = edge_array();
    edge.dataflow = each.dataflow;
    edge.words_per_cycle = each.words;
    const auto simulated = simulate_network(*network, edge, {.semantics = each.semantics});
    ASSERT_TRUE(simulated) << simulated.error().message;
    const auto golden = golden_report(each.run);
    ASSERT_EQ(simulated->layers.size(), golden.size()) << each.run;
    for (std::size_t i = 0; i < golden.size(); ++i) {
      EXPECT_EQ(simulated->layers[i].cycles, golden[i].cycles) << each.run << " layer " << i;
      EXPECT_EQ(simulated->layers[i].stall_cycles, golden[i].stalls) << each.run << " layer " << i;
    }
    EXPECT_EQ(simulated->total.time, std::nullopt) << "no clock";
    EXPECT_EQ(simulated->total.energy(), std::nullopt) << "no energies";
  }
}

TEST(ApiSimulate, EqualsTheProgram) {
  const auto network = Network::load("resnet18");
  AcceleratorOptions options;
  options.memory = "lpddr5";
  options.dataflow = Dataflow::weight_stationary;
  const auto accelerator = find_accelerator("edge-tpu", options);
  ASSERT_TRUE(accelerator) << accelerator.error().message;
  const auto simulated = simulate_network(*network, *accelerator, {.semantics = Semantics::ergon});
  ASSERT_TRUE(simulated) << simulated.error().message;
  const auto printed = program_json(
      "simulate resnet18 --accelerator edge-tpu --memory lpddr5 --dataflow ws --semantics ergon");
  const auto& layers = printed["layers"];
  ASSERT_EQ(simulated->layers.size(), layers.size());
  std::int64_t cycles = 0, words = 0;
  Joules energy;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(simulated->layers[i].name, layers[i]["name"].get<std::string>());
    EXPECT_EQ(simulated->layers[i].cycles, layers[i]["cycles"]);
    EXPECT_EQ(simulated->layers[i].stall_cycles, layers[i]["stall_cycles"]);
    EXPECT_EQ(simulated->layers[i].macs, layers[i]["macs"]);
    cycles += simulated->layers[i].cycles;
    words += simulated->layers[i].memory_words();
    energy += *simulated->layers[i].energy();
  }
  EXPECT_EQ(simulated->total.cycles, cycles);
  EXPECT_EQ(simulated->total.memory_words(), words);
  EXPECT_NEAR(simulated->total.energy()->si(), energy.si(), 1e-9 * energy.si());
  EXPECT_EQ(*simulated->total.time, Cycles{static_cast<double>(cycles)} / *accelerator->clock);
}

TEST(ApiSimulate, AcceleratorIsAValue) {
  auto accelerator = find_accelerator("edge-tpu");
  ASSERT_TRUE(accelerator);
  const auto network = Network::load("alexnet");
  const auto before = simulate_network(*network, *accelerator);
  ASSERT_TRUE(before) << before.error().message;
  accelerator->words_per_cycle = *accelerator->words_per_cycle * 100;
  const auto after = simulate_network(*network, *accelerator);
  ASSERT_TRUE(after);
  EXPECT_LT(after->total.cycles, before->total.cycles);
  EXPECT_EQ(after->total.macs, before->total.macs);
}

TEST(ApiSimulate, RefusesWhatCannotRun) {
  EXPECT_EQ(find_accelerator("edge-tpv").error().kind, Errc::unknown_name);
  EXPECT_EQ(find_accelerator("edge-tpu", {.memory = "ddr9"}).error().kind, Errc::unknown_name);
  EXPECT_EQ(find_accelerator("edge-tpu", {.rows = 0}).error().kind, Errc::invalid_input);
  const auto network = Network::load("resnet18");
  EXPECT_EQ(simulate_network(*network, {}).error().kind, Errc::invalid_input);
  Accelerator slow = edge_array();
  slow.words_per_cycle = 0.5;
  EXPECT_EQ(simulate_network(*network, slow).error().kind, Errc::invalid_input);
  EXPECT_TRUE(simulate_network(*network, slow, {.semantics = Semantics::ergon}));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(simulate_network(*network, slow, {.semantics = Semantics::ergon, .stop = stop.get_token()})
                .error()
                .kind,
            Errc::cancelled);
}

}  // namespace
}  // namespace ergon::test
