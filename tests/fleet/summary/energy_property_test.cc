// Numbers that leave a fleet analysis, over random fleets with overlapping events of several tasks and
// several GPUs per host: parts sum to the whole, energies and times are finite and not negative, shares are 0
// to 1.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/random_rows.h"
#include "report/fleet_json.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;
using test::kHosts;

void expect_sum(double whole, double parts) {
  RC_ASSERT(std::isfinite(whole) && std::isfinite(parts));
  RC_ASSERT(std::abs(whole - parts) <= 1e-9 * (1 + std::abs(whole)));
}

// Random rows, and two hosts of which one or two GPUs are sampled all the time.
FleetFiles random_fleet() {
  FleetFiles files = test::random_rows().of(std::vector<bool>(kHosts, true));
  for (int host = 0; host < 2; ++host) {
    const int gpus = *rc::gen::inRange(1, 3);
    for (std::int64_t at = 0; at <= 200'000; at += 2'000) {
      for (int gpu = 0; gpu < gpus; ++gpu)
        files.sample(at, test::host_name(host),
                     fmt::format("{},50,{},30", *rc::gen::element(30, 180, 300), *rc::gen::element(0, 3, 80)),
                     fmt::format("GPU-{}", gpu));
    }
  }
  return files;
}

RC_GTEST_PROP(FleetEnergy, PartsSumToTheWhole, ()) {
  const FleetSummary summary = summarize(random_fleet().tally());
  const EnergySummary& energy = summary.energy;
  expect_sum(energy.total.si(), (energy.attributed + energy.idle_energy + energy.unattributed.energy).si());
  expect_sum(energy.attributed.si(), energy.exclusive_energy.si());
  RC_ASSERT(energy.indivisible <= energy.attributed);
  EnergyTime all;
  Joules attributed, idle, unattributed;
  for (const HostSummary& host : summary.host_list) {
    expect_sum(host.energy.si(), (host.attributed_energy + host.idle_energy + host.unattributed_energy).si());
    EnergyTime gpus;
    for (const GpuSummary& gpu : summary.gpu_list) {
      if (gpu.host != host.name) continue;
      expect_sum(gpu.total.energy.si(), (gpu.events.energy + gpu.idle.energy + gpu.unattributed.energy).si());
      expect_sum(gpu.total.time.si(), (gpu.events.time + gpu.idle.time + gpu.unattributed.time).si());
      gpus += gpu.total;
    }
    expect_sum(host.energy.si(), gpus.energy.si());
    expect_sum(host.gpu_time.si(), gpus.time.si());
    all += gpus;
    attributed += host.attributed_energy;
    idle += host.idle_energy;
    unattributed += host.unattributed_energy;
  }
  expect_sum(energy.total.si(), all.energy.si());
  expect_sum(energy.gpu_time.si(), all.time.si());
  expect_sum(energy.attributed.si(), attributed.si());
  expect_sum(energy.idle_energy.si(), idle.si());
  expect_sum(energy.unattributed.energy.si(), unattributed.si());
  Joules exclusive;
  for (const EventSummary& event : summary.events) {
    RC_ASSERT(event.exclusive_energy <= event.energy * (1 + 1e-9) + Joules{1e-9});
    exclusive += event.exclusive_energy;
  }
  expect_sum(energy.attributed.si(), exclusive.si());
}

// What tasks are charged for, as in tasks.csv.
RC_GTEST_PROP(FleetEnergy, TasksAreChargedAtMostWhatWasUsed, ()) {
  const FleetFiles files = random_fleet();
  const ergon::test::TemporaryFolder folder;
  std::map<std::string, Joules> charged;
  IngestCallbacks callbacks;
  callbacks.on_restart = [&]() -> Result<> { return charged.clear(), Result<>(); };
  callbacks.on_task = [&](const TaskRun& run) -> Result<> {
    charged[std::string(run.host)] += run.telemetry.own_energy().value_or(Joules{0});
    return {};
  };
  const auto read = read_fleet(files.write(folder.path()), {}, callbacks);
  RC_ASSERT(static_cast<bool>(read));
  for (const HostSummary& host : summarize(read->tally).host_list)
    RC_ASSERT(charged[host.name] <= host.attributed_energy * (1 + 1e-9) + Joules{1e-9});
}

using Visit = std::function<void(const std::string& name, double value)>;

// Numbers with the name of their field, or of the field of their list or object if that is a unit.
void each_number(const nlohmann::ordered_json& json, const std::string& name, const Visit& visit) {
  if (json.is_number()) visit(name, json.get<double>());
  for (const auto& [key, value] : json.items()) {
    if (json.is_structured()) each_number(value, json.is_array() ? name : key, visit);
  }
}

RC_GTEST_PROP(FleetEnergy, NumbersInTheDocumentAreWithinTheirRange, ()) {
  Prices prices;
  prices.per_kwh = 0.3;
  prices.carbon_grams_per_kwh = 300;
  const auto json = report::fleet_json(summarize(random_fleet().tally()), prices,
                                       {.hosts = true, .gpus = true, .time = true});
  std::size_t checked = 0;
  each_number(json, "", [&](const std::string& name, double value) {
    RC_ASSERT(std::isfinite(value));
    const auto ends = [&](const char* end) { return name.ends_with(end); };
    if (ends("joules") || (ends("seconds") && name != "skew_seconds") || ends("watts") || ends("price") ||
        ends("grams") || ends("_p50") || ends("_p95")) {
      RC_ASSERT(value >= 0);
      ++checked;
    }
    if (ends("saving_share") || ends("share_without_utilization")) RC_ASSERT(value >= 0 && value <= 1);
    if (name == "utilization" || name == "memory") RC_ASSERT(value >= -1e-9 && value <= 100 + 1e-9);
  });
  RC_ASSERT(checked > 10);
}

}  // namespace
}  // namespace ergon::fleet
