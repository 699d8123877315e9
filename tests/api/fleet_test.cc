#include <ergon/fleet.h>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

// One host with one GPU at 100 W for 20 s; a task from 5 s to 15 s, after which the GPU is idle.
class SmallFleet {
 public:
  SmallFleet() {
    std::ofstream events(folder_ / "events.csv");
    events << "timestamp,hostname,eventName,eventType,jobId,taskId\n"
           << at(5) << ",n1,Render,START,j,t\n"
           << at(15) << ",n1,Render,STOP,j,t\n";
    std::ofstream samples(folder_ / "gpu.csv");
    samples << "timestamp,node,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n";
    for (int second = 0; second <= 20; ++second)
      samples << at(second) << ",n1,1,GPU-1,100,50," << (second <= 15 ? 80 : 0) << ",30\n";
  }
  FleetFiles files() const {
    FleetFiles files;
    files.events = {(folder_ / "events.csv").string()};
    files.samples = {(folder_ / "gpu.csv").string()};
    files.sample_columns = {{"host", "node"}};
    return files;
  }

 private:
  static std::string at(int second) {
    return "2018-11-08T07:00:" + std::string(second < 10 ? "0" : "") + std::to_string(second) + "Z";
  }
  TemporaryFolder folder_;
};

TEST(ApiFleet, AttributesEnergyToEvents) {
  const SmallFleet fleet;
  std::uint64_t done = 0;
  FleetOptions options;
  options.on_progress = [&](std::uint64_t now, std::uint64_t) { done = now; };
  const auto report = analyze_fleet(fleet.files(), options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->hosts, 1u);
  EXPECT_EQ(report->gpus, 1u);
  EXPECT_EQ(report->tasks, 1u);
  EXPECT_EQ(report->paired_events, 1u);
  EXPECT_EQ(report->event_rows, 2u);
  EXPECT_EQ(report->sample_rows, 21u);
  EXPECT_NEAR(report->energy.si(), 2000, 1);
  EXPECT_NEAR(report->attributed_energy.si(), 1000, 1);
  // Until 5 s no event is logged, but the GPU works; from 15 to 16 s utilization falls.
  EXPECT_NEAR(report->idle_energy.si(), 400, 1);
  EXPECT_NEAR(report->unattributed_energy.si(), 600, 1);
  EXPECT_NEAR(report->sample_period.si(), 1, 1e-9);
  EXPECT_EQ(report->outermost_event, "Render");
  ASSERT_EQ(report->events.size(), 1u);
  EXPECT_EQ(report->events[0].duration.value, 10_s);
  EXPECT_NEAR(report->events[0].power->si(), 100, 1e-9);
  EXPECT_NEAR(*report->events[0].utilization_percent, 80, 1e-6);
  ASSERT_EQ(report->host_list.size(), 1u);
  const FleetHost& host = report->host_list[0];
  EXPECT_EQ(host.name, "n1");
  EXPECT_NEAR((host.attributed_energy + host.idle_energy + host.unattributed_energy).si(), host.energy.si(),
              1e-9);
  EXPECT_FALSE(report->simulated);
  EXPECT_GT(done, 0u);
}

TEST(ApiFleet, EqualsTheProgramOnAGeneratedFleet) {
  const TemporaryFolder folder;
  const auto generated =
      run_shell(std::string(ERGON_PROGRAMS) + "/ergon fleet generate --hosts 6 --hours 0.2 --out . -q",
                folder.path().string());
  ASSERT_EQ(generated.exit_code, 0) << generated.err;
  FleetFiles files;
  files.events = {(folder / "application-checkpoints.csv").string()};
  files.samples = {(folder / "gpu.csv").string()};
  const auto report = analyze_fleet(files);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->simulated);
  const auto printed =
      program_json("fleet analyze --checkpoints " + files.events[0] + " --gpu " + files.samples[0]);
  EXPECT_EQ(report->hosts, printed["counts"]["hosts"]);
  EXPECT_EQ(report->tasks, printed["counts"]["tasks"]);
  EXPECT_EQ(report->paired_events, printed["counts"]["paired"]);
  EXPECT_NEAR(report->energy.si(), printed["energy"]["total_joules"], 1e-3);
  EXPECT_NEAR(report->attributed_energy.si(), printed["energy"]["attributed_joules"], 1e-3);
  EXPECT_EQ(report->outermost_event, printed["outermost_event"].get<std::string>());
  ASSERT_EQ(report->events.size(), printed["events"].size());
  for (std::size_t i = 0; i < report->events.size(); ++i)
    EXPECT_EQ(report->events[i].name, printed["events"][i]["name"].get<std::string>());
  ASSERT_EQ(report->findings.size(), printed["findings"].size());
  for (std::size_t i = 0; i < report->findings.size(); ++i)
    EXPECT_EQ(report->findings[i].id, printed["findings"][i]["id"].get<std::string>());
}

TEST(ApiFleet, RefusesWhatItCannotRead) {
  EXPECT_EQ(analyze_fleet({}).error().kind, Errc::invalid_input);
  const SmallFleet fleet;
  FleetFiles files = fleet.files();
  files.sample_columns = {};
  EXPECT_FALSE(analyze_fleet({.samples = {"/no/such.csv"}}));
  files.sample_columns = {{"hosst", "node"}};
  EXPECT_FALSE(analyze_fleet(files));
  FleetOptions options;
  options.time_zone = "Mars";
  EXPECT_EQ(analyze_fleet(fleet.files(), options).error().kind, Errc::invalid_input);
}

}  // namespace
}  // namespace ergon::test
