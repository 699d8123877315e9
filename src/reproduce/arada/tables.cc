#include "reproduce/arada/tables.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/allocate_json.h"
#include "report/text_table.h"
#include "reproduce/arada/claims.h"
#include "reproduce/arada/measures.h"

namespace ergon::reproduce {
namespace {

using namespace allocate;
using report::Align;
using report::TextTable;
using Json = nlohmann::ordered_json;

std::string number(double value) { return fmt::format("{:.1f}", value + 0.0); }

// Figure 5 shows means over networks; Figures 6 and 7 show each network.
std::string figure_five(const Survey& survey, const report::TableStyle& style) {
  TextTable table({{"accelerator"},
                   {"memory"},
                   {"ideal", Align::right},
                   {"vf-oh", Align::right, 2},
                   {"vf-oh eq. 6", Align::right, 3},
                   {"vf-oh-q", Align::right},
                   {"vf-oh-q eq. 6", Align::right},
                   {"ideal *", Align::right, 2},
                   {"vf-oh-q *", Align::right, 1},
                   {"vf-oh-q eq. 6 *", Align::right, 4},
                   {"bandwidth", Align::right},
                   {"slowdown", Align::right}});
  for (std::size_t i = 0; i < survey.configurations.size(); ++i) {
    const auto mean = [&](AradaMethod method, double (*value)(const Schedule&)) {
      return number(survey.mean(i, method, value));
    };
    table.row({survey.configurations[i].accelerator, survey.configurations[i].memory,
               mean(kIdeal, layer_mean), mean(kVfOh, layer_mean), mean(kVfOh, printed_mean),
               mean(kVfOhQ, layer_mean), mean(kVfOhQ, printed_mean), mean(kIdeal, weighted),
               mean(kVfOhQ, weighted), mean(kVfOhQ, printed_weighted), mean(kVfOhQ, bandwidth),
               mean(kVfOhQ, slowdown)});
  }
  return "Figure 5: energy saved (%), mean over layers, then over nine networks\n"
         "(*: weighted by energy); bandwidth saved (%) by vf-oh-q, and its slowdown (%)\n"
         "when its clocks are simulated\n\n" +
         table.text(style);
}

std::string network_bars(const AradaStudy& study, const char* title, const char* accelerator,
                         const char* memory, const report::TableStyle& style) {
  TextTable table({{"network"},
                   {"ideal", Align::right},
                   {"vf-oh", Align::right, 1},
                   {"vf-oh-q", Align::right},
                   {"bandwidth", Align::right},
                   {"slowdown", Align::right},
                   {"optimal-split", Align::right}});
  const std::size_t index = study.configuration(accelerator, memory);
  for (std::size_t i = 0; i < study.survey.networks.size(); ++i) {
    const auto at = [&](AradaMethod method) -> const Schedule& { return study.survey.at(index, i, method); };
    table.row({study.survey.networks[i], number(layer_mean(at(kIdeal))), number(layer_mean(at(kVfOh))),
               number(layer_mean(at(kVfOhQ))), number(bandwidth(at(kVfOhQ))), number(slowdown(at(kVfOhQ))),
               number(layer_mean(at(kSplit)))});
  }
  return fmt::format(
      "{}: {} with {}, savings (%), mean over layers;\n"
      "bandwidth and slowdown (%) are those of vf-oh-q; optimal-split has no slowdown\n\n{}",
      title, accelerator, memory, table.text(style));
}

std::string figure_eight(const AradaStudy& study, const report::TableStyle& style) {
  TextTable table({{"layer", Align::right},
                   {"name", Align::left, 1},
                   {"TOPS, ddr5-4800", Align::right},
                   {"bandwidth, ddr5-4800", Align::right},
                   {"TOPS, hbm2", Align::right},
                   {"bandwidth, hbm2", Align::right}});
  const std::size_t network = study.network("scalesim/MobileNet");
  const std::size_t first = study.configuration("hpc-tpu", "ddr5-4800"),
                    second = study.configuration("hpc-tpu", "hbm2");
  const auto cells = [&](std::size_t index, std::size_t layer) {
    const Hardware& hardware = study.survey.configurations[index].hardware;
    const LayerSetting& setting = study.survey.at(index, network, kVfOhQ).layers[layer].setting;
    return std::pair{number(100 * (1 - (setting.clock / hardware.clock).si())),
                     number(100 * (1 - setting.words / hardware.words_per_cycle))};
  };
  for (std::size_t i = 0; i < study.table_one.layers.size(); ++i) {
    const auto a = cells(first, i), b = cells(second, i);
    table.row(
        {std::to_string(i), study.table_one.layers[i].demand.name, a.first, a.second, b.first, b.second});
  }
  return "Figure 8: MobileNet on hpc-tpu with vf-oh-q, reduction of TOPS and of bandwidth\n"
         "(%); layers are numbered from 0\n\n" +
         table.text(style);
}

std::string table_one(const AradaStudy& study, const report::TableStyle& style) {
  TextTable table({{"layer", Align::right},
                   {"cycles", Align::right},
                   {"stall cycles", Align::right},
                   {"clock (MHz)", Align::right},
                   {"paper (MHz)", Align::right},
                   {"bandwidth (GB/s)", Align::right}});
  for (std::size_t i = 0; i < study.table_one.layers.size(); ++i) {
    const ScheduledLayer& layer = study.table_one.layers[i];
    table.row({std::to_string(i + 1), std::to_string(layer.demand.total_cycles),
               std::to_string(layer.demand.stall_cycles), fmt::format("{:g}", layer.setting.clock.si() / 1e6),
               fmt::format("{:g}", printed_table_one_clocks()[i]),
               fmt::format("{:g}", study.table_one_hardware.bandwidth(layer.setting.words).si() / 1e9)});
  }
  return "Table 1: MobileNet on edge-tpu with 20 GB/s and vf-oh-q\n\n" + table.text(style);
}

std::string figure_three(const AradaStudy& study, const report::TableStyle& style) {
  TextTable table({{"peak TOPS", Align::right},
                   {"bandwidth (GB/s)", Align::right},
                   {"memory-bound layers", Align::right},
                   {"compute-bound layers", Align::right}});
  for (const RoofCount& roof : study.roofs) {
    table.row({fmt::format("{:g}", roof.tops), fmt::format("{:g}", roof.gigabytes_per_second),
               std::to_string(roof.memory_bound), std::to_string(roof.compute_bound)});
  }
  return "Figure 3: layers of EfficientNetB0 by roofline (ergon roofline has the points)\n\n" +
         table.text(style);
}

const std::vector<std::pair<const char*, const char*>>& beyond_configurations() {
  static const std::vector<std::pair<const char*, const char*>> kFour = {
      {"edge-tpu", "lpddr4"}, {"edge-tpu", "ddr5-4800"}, {"hpc-tpu", "ddr5-4800"}, {"hpc-tpu", "hbm2"}};
  return kFour;
}

std::string beyond(const AradaStudy& study, const report::TableStyle& style) {
  TextTable table({{"schedule"},
                   {"edge lpddr4", Align::right},
                   {"edge ddr5-4800", Align::right, 1},
                   {"hpc ddr5-4800", Align::right},
                   {"hpc hbm2", Align::right}});
  const auto row = [&](const std::string& title, AradaMethod method, double (*value)(const Schedule&)) {
    std::vector<std::string> cells = {title};
    for (const auto& [accelerator, memory] : beyond_configurations()) {
      cells.push_back(number(study.survey.mean(study.configuration(accelerator, memory), method, value)));
    }
    table.row(std::move(cells));
  };
  row("claimed: ideal", kIdeal, weighted);
  row("  slowdown", kIdeal, slowdown);
  row("claimed: vf-oh-q", kVfOhQ, weighted);
  row("  slowdown", kVfOhQ, slowdown);
  row("simulated: optimal, no slack", kOptimal, saved);
  row("simulated: optimal, 2 % slack", kOptimal2, saved);
  row("simulated: optimal, 5 % slack", kOptimal5, saved);
  row("simulated: optimal-split, no slack", kSplit, saved);
  row("simulated: optimal-split, 2 % slack", kSplit2, saved);
  row("simulated: optimal-split, 5 % slack", kSplit5, saved);
  row("assumed: greedy, both switches paid", kGreedyAssumed, weighted);
  row("assumed: optimal", kOptimalAssumed, weighted);
  row("assumed: greedy, switches of 30 us", kGreedyAssumed30, weighted);
  row("assumed: optimal, switches of 30 us", kOptimalAssumed30, weighted);
  row("assumed: optimal, 2 % slack", kOptimalAssumed2, weighted);
  row("assumed: optimal, 5 % slack", kOptimalAssumed5, weighted);
  row("memory included: vf-oh-q", kVfOhQMemory, saved);
  row("memory DVFS: vf-oh-q", kVfOhQMemoryDvfs, saved);
  row("memory DVFS: optimal-split", kSplitMemoryDvfs, saved);
  return "Beyond the paper: energy saved (%), weighted by energy, mean over nine networks.\n"
         "claimed: as the scheme states it. simulated: times of the simulator; a switch\n"
         "takes 10 us and 10 % of the power. assumed: ARADA's time model, in which work\n"
         "fills stalls to the last cycle. memory included: energy includes the memory's,\n"
         "with the assumed powers of data/accelerators and data/memories. memory DVFS: the\n"
         "memory clock also follows each layer's demand.\n\n" +
         table.text(style);
}

std::string tables_text(const AradaStudy& study, const report::TableStyle& style) {
  std::string text;
  for (const std::string& part :
       {table_one(study, style), figure_five(study.survey, style),
        network_bars(study, "Figure 6a", "edge-tpu", "lpddr4", style),
        network_bars(study, "Figure 6b", "edge-tpu", "ddr5-4800", style),
        network_bars(study, "Figure 7a", "hpc-tpu", "ddr4-4400", style),
        network_bars(study, "Figure 7b", "hpc-tpu", "hbm2", style), figure_eight(study, style),
        figure_three(study, style), beyond(study, style)}) {
    text += part + "\n";
  }
  return text;
}

Json tables_json(const AradaStudy& study) {
  const Survey& survey = study.survey;
  Json configurations = Json::array();
  for (std::size_t i = 0; i < survey.configurations.size(); ++i) {
    const Configuration& configuration = survey.configurations[i];
    Json networks = Json::array();
    for (std::size_t j = 0; j < survey.networks.size(); ++j) {
      Json schedules = Json::array();
      for (std::size_t k = 0; k < survey.methods.size(); ++k) {
        Json one = {{"method", survey.methods[k].name}, {"in_arada_time", survey.methods[k].in_arada_time}};
        one.update(report::schedule_summary_json(survey.at(i, j, k)));
        schedules.push_back(std::move(one));
      }
      networks.push_back({{"name", survey.networks[j]}, {"schedules", std::move(schedules)}});
    }
    configurations.push_back({{"accelerator", configuration.accelerator},
                              {"memory", configuration.memory},
                              {"words_per_cycle", configuration.hardware.words_per_cycle},
                              {"networks", std::move(networks)}});
  }
  const auto layers = [](const Schedule& schedule, const Hardware& hardware) {
    Json json = Json::array();
    for (const ScheduledLayer& layer : schedule.layers)
      json.push_back(report::scheduled_layer_json(layer, hardware));
    return json;
  };
  Json roofs = Json::array();
  for (const RoofCount& roof : study.roofs) {
    roofs.push_back({{"peak_operations_per_second", roof.tops * 1e12},
                     {"bandwidth_bytes_per_second", roof.gigabytes_per_second * 1e9},
                     {"memory_bound", roof.memory_bound},
                     {"compute_bound", roof.compute_bound}});
  }
  Json figure_eight = Json::object();
  for (const char* const memory : {"ddr5-4800", "hbm2"}) {
    const std::size_t index = study.configuration("hpc-tpu", memory);
    figure_eight[memory] = layers(survey.at(index, study.network("scalesim/MobileNet"), kVfOhQ),
                                  survey.configurations[index].hardware);
  }
  return {{"table_1", layers(study.table_one, study.table_one_hardware)},
          {"figure_3", std::move(roofs)},
          {"figure_8", std::move(figure_eight)},
          {"configurations", std::move(configurations)}};
}

std::string arada_summary_text(const std::vector<Claim>& claims) {
  std::vector<Claim> unfitted;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(unfitted),
               [](const Claim& claim) { return !claim.fitted; });
  const auto counts_text = [](const std::vector<Claim>& some) {
    const ClaimCounts counts = count_of(some);
    return fmt::format("{} hold exactly, {} approximately, {} do not", counts.exactly, counts.approximately,
                       counts.no);
  };
  return fmt::format("{} claims: {}.\nWithout the {} fitted ones: {}.\n", claims.size(), counts_text(claims),
                     claims.size() - unfitted.size(), counts_text(unfitted));
}

}  // namespace

std::string arada_text(const AradaStudy& study, const std::vector<Claim>& claims, bool claims_only,
                       const report::TableStyle& style) {
  std::string text = "ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023), simulated\n\n";
  if (!claims_only) text += tables_text(study, style);
  return text + claims_text(claims, style) + "\n" + arada_summary_text(claims);
}

Json arada_json(const AradaStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json body = {
      {"paper", "Azhar, Zouzoula and Trancoso: ARADA, Computing Frontiers 2023, doi:10.1145/3587135.3592207"},
      {"claims", claims_json(claims)}};
  if (!claims_only) body.update(tables_json(study));
  return body;
}

}  // namespace ergon::reproduce
