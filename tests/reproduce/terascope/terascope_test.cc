// The study's files, if present: every printed number is reproduced to its last digit.

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "reproduce/terascope/claims.h"
#include "reproduce/terascope/reproduction.h"
#include "reproduce/terascope/study.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::reproduce {
namespace {

TEST(ReproduceTeraScope, ReproducesEveryPrintedNumber) {
  const std::string folder = std::string(ERGON_REPOSITORY) + "/../shared/data/fleet";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "without ../shared/data/fleet";
  const test::TemporaryFolder elsewhere;
  const auto run = test::run_shell(ERGON_PROGRAMS "/ergon reproduce terascope --json -q --data " + folder,
                                   elsewhere.path().string());
  EXPECT_EQ(run.exit_code, 3) << run.err;  // not all of its conclusions hold
  const auto json = nlohmann::json::parse(run.out);
  std::size_t figures = 0;
  for (const auto& claim : json["claims"]) {
    const std::string where = claim["where"], text = claim["claim"];
    const bool printed =
        where.starts_with("Table") || where.starts_with("Figure") || where == "1.3.1" || where == "2.3.1";
    if (!printed) continue;
    ++figures;
    EXPECT_EQ(claim["holds"], "exactly") << text << ": " << claim["paper"] << ", here " << claim["ours"];
  }
  EXPECT_EQ(figures, 31U);

  const auto& counted = json["duplicates_counted"];
  const auto& removed = json["duplicates_removed"];
  EXPECT_EQ(counted["counts"]["duplicates"], 2470);
  EXPECT_EQ(counted["counts"]["unpaired"], 0);
  EXPECT_EQ(removed["counts"]["paired"], 328965);
  const auto& energy = removed["energy"];
  const double total = energy["total_joules"], unattributed = energy["unattributed_joules"],
               parts = energy["attributed_joules"].get<double>() + energy["idle_joules"].get<double>() +
                       unattributed;
  EXPECT_NEAR(parts, total, 1e-9 * total);
  EXPECT_LT(unattributed, 1e-5 * total) << "outside events, GPUs of the study are idle";
  EXPECT_EQ(energy["indivisible_joules"], 0) << "one GPU per host";
  // References from pandas, in integer milliseconds: trapezoid over all samples, and mean power of events.
  EXPECT_NEAR(total, 276440307.9216, 1e-6 * total);
  for (const auto& event : removed["events"]) {
    if (event["name"] != "Render") continue;
    EXPECT_NEAR(event["interval"]["power_watts"], 95.783423, 1e-5);
    EXPECT_NEAR(event["interval"]["utilization"], 71.359456, 1e-5);
    EXPECT_NEAR(event["interval"]["energy_joules"], 3999.344312, 1e-4);
    EXPECT_NEAR(event["duration_ms"]["p99"], 53976.40, 0.01);
  }
}

TEST(ReproduceTeraScope, SaysWhereMissingFilesAre) {
  const test::TemporaryFolder elsewhere;
  const auto run = test::run_shell(ERGON_PROGRAMS "/ergon reproduce terascope -q", elsewhere.path().string());
  EXPECT_EQ(run.exit_code, 1);
  for (const char* part :
       {"checkpoints, samples, tasks not found", "application_checkpoints.csv (sha256 92965d94",
        "gpu.csv (sha256 95904ec4", "task_x_y.csv (sha256 1420d701",
        "https://github.com/prathikpradeep/220238007-CSC8634-TeraScope", "--data"})
    EXPECT_NE(test::unwrapped(run.err).find(part), std::string::npos) << run.err;
}

// The files of the study under their published names: one host, one task of 40 s.
void write_published_files(const std::filesystem::path& folder) {
  const auto event = [](const char* time, const char* name, const char* type) {
    return fmt::format("2018-11-08T08:{}Z,host,{},{},1024-lvl12,task\n", time, name, type);
  };
  ASSERT_TRUE(write_file(folder / "application_checkpoints.csv",
                         "timestamp,hostname,eventName,eventType,jobId,taskId\n" +
                             event("00:00.000", "TotalRender", "START") +
                             event("00:00.000", "Render", "START") + event("00:38.000", "Render", "STOP") +
                             event("00:40.000", "TotalRender", "STOP")));
  std::string samples =
      "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n";
  for (int second = 0; second <= 44; second += 2)
    samples += fmt::format("2018-11-08T08:00:{:02}.000Z,host,1,GPU-1,100,40,90,60\n", second);
  ASSERT_TRUE(write_file(folder / "gpu.csv", samples));
  ASSERT_TRUE(write_file(folder / "task_x_y.csv", "taskId,jobId,x,y,level\ntask,1024-lvl12,1,2,12\n"));
}

TEST(ReproduceTeraScope, TakesThePublishedFilesAndTheirSamples) {
  const test::TemporaryFolder folder;
  write_published_files(folder.path());
  const auto files = find_terascope_files(folder.path().string());
  ASSERT_TRUE(files);
  EXPECT_EQ(files->missing_data, "");
  EXPECT_FALSE(files->reconstructed);
  std::vector<std::string> notes;
  Environment environment;
  environment.notify = [&](std::string_view note) { notes.emplace_back(note); };
  const auto study = study_terascope(*files, environment);
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(notes.size(), 3U);  // other checksums than those of the study
  EXPECT_EQ(study->duplicates_counted.paired, 2U);
  EXPECT_FALSE(study->reconstructed);
  for (const Claim& claim : terascope_claims(*study)) {
    EXPECT_EQ(claim.reason.find("reconstructed"), std::string::npos) << claim.claim;
    if (claim.claim.starts_with("power of Render")) {
      EXPECT_EQ(claim.ours, "100.00 W");
    }
  }
}

// Reconstructed samples are used only if the published ones are missing.
TEST(ReproduceTeraScope, PrefersPublishedSamples) {
  const test::TemporaryFolder folder;
  write_published_files(folder.path());
  std::filesystem::rename(folder.path() / "gpu.csv", folder.path() / "gpu-reconstructed.csv");
  const auto replaced = find_terascope_files(folder.path().string());
  ASSERT_TRUE(replaced);
  EXPECT_TRUE(replaced->reconstructed);
  std::filesystem::copy_file(folder.path() / "gpu-reconstructed.csv", folder.path() / "gpu.csv");
  const auto both = find_terascope_files(folder.path().string());
  ASSERT_TRUE(both);
  EXPECT_FALSE(both->reconstructed);
}

TEST(ReproduceTeraScope, ChecksNoClaimWithoutDataUnlessItIsRequired) {
  const test::TemporaryFolder folder;
  TeraScopeOptions options;
  options.folder = folder.path().string();
  const auto required = reproduce_terascope(options, {});
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().kind, Errc::not_found);
  options.require_data = false;
  const auto unchecked = reproduce_terascope(options, {});
  ASSERT_TRUE(unchecked);
  EXPECT_EQ(unchecked->claims.size(), 41U);
  EXPECT_EQ(count_of(unchecked->claims).not_checked, 41U);
  EXPECT_EQ(unchecked->missing_data.size(), 1U);
  EXPECT_TRUE(all_hold(unchecked->claims));
}

}  // namespace
}  // namespace ergon::reproduce
