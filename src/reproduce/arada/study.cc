#include "reproduce/arada/study.h"

#include <algorithm>

#include "allocate/arada.h"
#include "base/contract.h"
#include "systolic/catalog/catalog.h"
#include "systolic/roofline.h"

namespace ergon::reproduce {
namespace {

using namespace allocate;

// The accelerator as the paper models it: voltage in proportion to the clock (section 4.3.4), no leakage.
Hardware arada_hardware(const systolic::Accelerator& accelerator, double words_per_cycle) {
  Hardware hardware = hardware_of(accelerator, words_per_cycle);
  hardware.voltage = systolic::VoltageCurve::linear();
  return hardware;
}

// Slowest memory first.
Result<std::vector<Configuration>> configurations() {
  std::vector<Configuration> all;
  for (const char* const name : {"edge-tpu", "hpc-tpu"}) {
    const auto accelerator = systolic::find_accelerator(name);
    if (!accelerator) return accelerator.error();
    const std::size_t begin = all.size();
    for (const auto& [memory, words] : accelerator->calibrated_words_per_cycle) {
      const auto attached = systolic::find_memory(memory);
      if (!attached) return attached.error();
      const auto power = memory_power_of(*attached, *accelerator);
      if (!power) return power.error();
      all.push_back({name, memory, arada_hardware(*accelerator, static_cast<double>(words)), *power});
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(), [](const auto& a, const auto& b) {
      return a.hardware.words_per_cycle < b.hardware.words_per_cycle;
    });
  }
  return all;
}

std::vector<PlanMethod> methods() {
  const auto assumed = [](const char* name, Scheme scheme, double slack, double microseconds) {
    return PlanMethod{name, {.scheme = scheme, .slack = slack}, true, Seconds{microseconds / 1e6}, 0.0};
  };
  return {{"ideal", {.scheme = Scheme::ideal}},
          {"vf-oh", {.scheme = Scheme::vf_oh}},
          {"vf-oh-q", {.scheme = Scheme::vf_oh_q}},
          {"optimal", {.scheme = Scheme::optimal}},
          {"optimal, 2 % slack", {.scheme = Scheme::optimal, .slack = 0.02}},
          {"optimal, 5 % slack", {.scheme = Scheme::optimal, .slack = 0.05}},
          {"optimal-split", {.scheme = Scheme::optimal_split}},
          {"optimal-split, 2 % slack", {.scheme = Scheme::optimal_split, .slack = 0.02}},
          {"optimal-split, 5 % slack", {.scheme = Scheme::optimal_split, .slack = 0.05}},
          assumed("greedy, both switches paid", Scheme::greedy, 0, 10),
          assumed("optimal", Scheme::optimal, 0, 10),
          assumed("optimal, 2 % slack", Scheme::optimal, 0.02, 10),
          assumed("optimal, 5 % slack", Scheme::optimal, 0.05, 10),
          assumed("greedy, switches of 30 us", Scheme::greedy, 0, 30),
          assumed("optimal, switches of 30 us", Scheme::optimal, 0, 30),
          {.name = "vf-oh-q, memory included",
           .request = {.scheme = Scheme::vf_oh_q},
           .memory = PlanMethod::MemoryEnergy::included},
          {.name = "vf-oh-q, memory DVFS",
           .request = {.scheme = Scheme::vf_oh_q},
           .memory = PlanMethod::MemoryEnergy::follows_demand},
          {.name = "optimal-split, memory DVFS",
           .request = {.scheme = Scheme::optimal_split},
           .memory = PlanMethod::MemoryEnergy::follows_demand},
          {.name = "vf-oh-q, clock steps of 25 MHz",
           .request = {.scheme = Scheme::vf_oh_q},
           .clock_step = Hertz{25e6}}};
}

RoofCount count_roof(const NamedNetwork& network, std::int64_t bytes_per_word, double tops,
                     double gigabytes_per_second) {
  RoofCount count{tops, gigabytes_per_second};
  const systolic::Roof roof{tops * 1e12, BytesPerSecond{gigabytes_per_second * 1e9}, bytes_per_word};
  for (const systolic::Layer& layer : network.layers) {
    ++(systolic::roofline_point(layer.geometry, roof).memory_bound ? count.memory_bound
                                                                   : count.compute_bound);
  }
  return count;
}

}  // namespace

std::size_t AradaStudy::configuration(const std::string& accelerator, const std::string& memory) const {
  for (std::size_t i = 0; i < survey.configurations.size(); ++i) {
    const Configuration& one = survey.configurations[i];
    if (one.accelerator == accelerator && one.memory == memory) return i;
  }
  ERGON_EXPECTS(false);
  return 0;
}

std::size_t AradaStudy::network(const std::string& name) const {
  const auto found = std::find(survey.networks.begin(), survey.networks.end(), name);
  ERGON_EXPECTS(found != survey.networks.end());
  return static_cast<std::size_t>(found - survey.networks.begin());
}

Result<AradaStudy> study_arada(const std::stop_token& stop) {
  std::vector<NamedNetwork> networks;
  for (const std::string& name : arada_networks()) {
    auto layers = systolic::zoo_layers(name);
    if (!layers) return layers.error();
    networks.push_back({name, std::move(*layers)});
  }
  auto eleven = configurations();
  if (!eleven) return eleven.error();
  AradaStudy study;
  auto all = survey(networks, std::move(*eleven), methods(), 0, stop);
  if (!all) return all.error();
  study.survey = std::move(*all);

  std::vector<Configuration> doubled;
  for (const char* const memory : {"ddr5-4800", "hbm2"}) {
    doubled.push_back(study.survey.configurations[study.configuration("hpc-tpu", memory)]);
    doubled.back().hardware.words_per_cycle *= 2;
  }
  auto twice =
      survey(networks, std::move(doubled),
             {{"ideal", {.scheme = Scheme::ideal}}, {"vf-oh-q", {.scheme = Scheme::vf_oh_q}}}, 0, stop);
  if (!twice) return twice.error();
  study.doubled = std::move(*twice);

  const auto edge = systolic::find_accelerator("edge-tpu");
  if (!edge) return edge.error();
  study.table_one_hardware = arada_hardware(*edge, 20);
  systolic::ScheduleCache cache;
  const auto demands =
      demands_of(networks[study.network("scalesim/MobileNet")].layers, study.table_one_hardware, cache, stop);
  if (!demands) return demands.error();
  auto table_one = plan(*demands, study.table_one_hardware, {.scheme = Scheme::vf_oh_q});
  if (!table_one) return table_one.error();
  study.table_one = std::move(*table_one);

  const NamedNetwork& efficientnet = networks[study.network("arada/EfficientNetB0")];
  for (const auto& [tops, rate] : {std::pair{0.4, 122.0}, {4.0, 122.0}, {4.0, 71.0}, {4.0, 29.0}}) {
    study.roofs.push_back(count_roof(efficientnet, edge->memory_bytes_per_word, tops, rate));
  }
  return study;
}

}  // namespace ergon::reproduce
