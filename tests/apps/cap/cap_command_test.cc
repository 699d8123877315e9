// `ergon cap`, text and JSON.

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "table/csv/read.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;

constexpr const char* kTrace = "--plant trace:" ERGON_REPOSITORY "/data/reference/h200/networks_infer.csv";
constexpr const char* kTwin = "resnet50 --device v100";
// Small batches, so that decisions are short.
constexpr const char* kQuick = "resnet50 --device v100 --batch 2,4,8";

class Cap : public testing::Test {
 protected:
  // Wide, because messages contain paths of any length.
  test::ProcessResult cap(const std::string& words) const {
    return test::run_shell(fmt::format("{} cap {}", ERGON_PROGRAMS "/ergon", words), folder_.path().string(),
                           {{"COLUMNS", "1000"}});
  }
  Json json(const std::string& words, int exit_code = 0) const {
    const auto ran = cap(words + " --json");
    EXPECT_EQ(ran.exit_code, exit_code) << words << "\n" << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  void expect(const std::string& words, int exit_code, const std::string& message) const {
    const auto ran = cap(words);
    EXPECT_EQ(ran.exit_code, exit_code) << words;
    EXPECT_NE(ran.err.find(message), std::string::npos) << words << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << words;
  }
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file(folder_ / name, text));
    return name;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Cap, RequiresExactlyOneCap) {
  expect(kTwin, 2, "missing cap");
  write("s.csv", "0,150\n");
  expect(fmt::format("{} --cap 150W --schedule s.csv", kTwin), 2, "more than one cap");
  expect(fmt::format("{} --cap-file c --cap-socket s", kTwin), 2, "more than one cap");
  for (const char* watts : {"0W", "-5W", "150", "150MHz", "lots"})
    expect(fmt::format("{} --cap {}", kTwin, watts), 2, "--cap");
}

TEST_F(Cap, RequiresANetworkAndADeviceOrATrace) {
  expect("--cap 150W", 2, "missing network");
  expect("resnet50 --cap 150W", 2, "missing device");
  expect("resnet50 --device v100 --network x --cap 150W", 2, "--network applies only to --plant");
  expect(fmt::format("{} resnet50 --cap 300W", kTrace), 2, "give the network as --network resnet50");
  expect(fmt::format("{} --network resnet50 --device v100 --cap 300W", kTrace), 2, "--device does not apply");
  expect(fmt::format("{} --network resnet50 --precision fp16 --cap 300W", kTrace), 2,
         "--precision does not apply");
  expect(fmt::format("{} --cap 300W", kTrace), 1, "alexnet, densenet121, efficientnet_b0, googlenet");
  expect(fmt::format("{} --plant real --cap 150W", kTwin), 2, "trace:FILE");
}

TEST_F(Cap, SuggestsTheNearestName) {
  expect("resnet5 --device v100 --cap 150W", 2, "did you mean \"resnet50\"?");
  expect("resnet50 --device v10 --cap 150W", 2, "did you mean \"v100\"?");
  expect(fmt::format("{} --cap 150W --controller jiont", kTwin), 2, "did you mean \"joint\"?");
  EXPECT_EQ(cap(fmt::format("{} --watts 150W --controller JOINT --duration 1s", kTwin)).exit_code, 0);
  expect(fmt::format("{} --cap 150W --batches 1", kTwin), 2, "--batch");
  expect(fmt::format("{} --network resnet5 --cap 300W", kTrace), 2, "did you mean \"resnet50\"?");
}

TEST_F(Cap, SupportsOpenArrivals) {
  expect(fmt::format("{} --cap 150W --arrivals poisson:-1", kTwin), 2, "is not closed or poisson:RATE");
  expect(fmt::format("{} --cap 150W --arrivals poisson:inf", kTwin), 2, "is not closed or poisson:RATE");
  expect(fmt::format("{} --network resnet50 --cap 400W --arrivals poisson:9", kTrace), 2,
         "--arrivals poisson does not apply");
  EXPECT_EQ(cap(fmt::format("{} --cap 150W --arrivals closed --duration 1s", kTwin)).exit_code, 0);
  const Json open = json(fmt::format("{} --cap 150W --arrivals poisson:100 --duration 10s", kTwin));
  EXPECT_NEAR(open["throughput_samples_per_second"].get<double>(), 100, 15);
  EXPECT_TRUE(open["oracle_throughput"].is_null());
}

TEST_F(Cap, RejectsInvalidOptions) {
  expect(fmt::format("{} --cap 150W --max-latency 'p95<=50ms'", kTwin), 2,
         "--max-latency: \"p95<=50ms\" is not a latency");
  expect(fmt::format("{} --cap 150W --max-latency 50ms --controller dvfs", kTwin), 2,
         "--max-latency applies only to joint");
  expect(fmt::format("{} --cap 150W --no-clock --controller dvfs", kTwin), 2,
         "cannot be used with --no-clock");
  expect(fmt::format("{} --network resnet50 --cap 400W --controller dvfs", kTrace), 1, "dvfs sets the clock");
  expect(fmt::format("{} --cap 150W --batch 0", kTwin), 2, "--batch: \"0\" is not a whole number");
  expect(fmt::format("{} --cap 150W --batch \"\"", kTwin), 2, "--batch");
  expect(fmt::format("{} --network resnet50 --cap 400W --batch 1,1000", kTrace), 1, "from batch 1 to 256");
  expect(fmt::format("{} --cap 150W --duration 0s", kTwin), 2, "--duration: \"0s\" is not above 0");
  expect(fmt::format("{} --cap 150W --log /no/such/folder/log.csv", kTwin), 1, "no such directory");
  expect(fmt::format("{} --schedule {}", kTwin, write("late.csv", "5,150\n")), 1, "no cap at time 0");
  expect(fmt::format("{} --schedule {}", kTwin, write("bad.csv", "0,-5\n")), 1, "bad.csv:1");
  expect(fmt::format("{} --cap-file {}", kTwin, write("lots.txt", "lots\n")), 1, "lots.txt");
  expect(fmt::format("{} --cap-file nope.txt", kTwin), 1, "nope.txt: no such file");
  expect(fmt::format("{} --cap-socket lots.txt", kTwin), 1, "not a socket");
}

TEST_F(Cap, RejectsACapBelowIdlePower) {
  expect(fmt::format("{} --cap 20W", kTwin), 1, "a cap of 20 W is below 26.1 W, the idle power");
}

void keeps_the_contract(const Json& document) {
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["schema"], "ergon.cap/2");
  EXPECT_EQ(document["simulated"], true);
  EXPECT_EQ(document["provenance"]["simulated"], true);
  for (const char* name :
       {"throughput_samples_per_second", "power_mean_watts", "power_max_watts", "cap_watts",
        "violation_seconds", "longest_violation_seconds", "violation_watt_seconds", "mean_batch",
        "settle_seconds", "latency_p99_seconds", "oracle_throughput"})
    EXPECT_TRUE(document[name].is_number()) << name;
  EXPECT_GT(document["throughput_samples_per_second"], 0);
  EXPECT_GE(document["power_max_watts"], document["power_mean_watts"]);
  EXPECT_LE(document["longest_violation_seconds"], document["violation_seconds"]);
  EXPECT_TRUE(document["remarks"].is_array());
  ASSERT_TRUE(document["caps"].is_array());
  for (const Json& cap : document["caps"]) {
    EXPECT_TRUE(cap["time_seconds"].is_number() && cap["cap_watts"].is_number() &&
                cap["took_seconds"].is_number() && cap["decisions"].is_number() && cap["origin"].is_string())
        << cap;
  }
  ASSERT_GT(document["decisions"].size(), 3u);
  double before = 0;
  for (std::size_t i = 0; i < document["decisions"].size(); ++i) {
    const Json& decision = document["decisions"][i];
    EXPECT_GT(decision["time_seconds"], before);
    before = decision["time_seconds"];
    for (const char* name : {"batch", "power_watts", "mean_power_watts", "cap_watts",
                             "throughput_samples_per_second", "latency_seconds", "next_batch"})
      EXPECT_TRUE(decision[name].is_number()) << name;
    EXPECT_FALSE(decision["reason"].get<std::string>().empty());
    if (i == 0) continue;
    EXPECT_EQ(decision["batch"], document["decisions"][i - 1]["next_batch"]);
    EXPECT_EQ(decision["clock_hertz"], document["decisions"][i - 1]["next_clock_hertz"]);
  }
}

TEST_F(Cap, DocumentOfATwinIsComplete) {
  const Json document = json(fmt::format("{} --cap 150W --duration 20s", kTwin));
  keeps_the_contract(document);
  EXPECT_EQ(document["cap_watts"], 150);
  EXPECT_EQ(document["controller"], "joint");
  EXPECT_TRUE(document["mean_clock_mhz"].is_number());
  EXPECT_EQ(document["violation_once_settled_seconds"], 0);
  EXPECT_GT(document["share_of_oracle"], 0.9);
  EXPECT_LT(document["power_mean_watts"], 150);
  for (const Json& decision : document["decisions"])
    EXPECT_TRUE(decision["clock_hertz"].is_number() && decision["temperature_celsius"].is_number());
}

TEST_F(Cap, DocumentOfATraceIsComplete) {
  const Json document = json(fmt::format("{} --network resnet50 --cap 400W --duration 20s", kTrace));
  keeps_the_contract(document);
  EXPECT_EQ(document["plant"], "trace");
  EXPECT_TRUE(document["device"].is_null());
  EXPECT_TRUE(document["mean_clock_mhz"].is_null());
  EXPECT_GT(document["share_of_oracle"], 0.85);
  for (const Json& decision : document["decisions"])
    EXPECT_TRUE(decision["clock_hertz"].is_null() && decision["temperature_celsius"].is_null());
  ASSERT_EQ(document["provenance"]["inputs"].size(), 1u);
}

TEST_F(Cap, EveryControllerRuns) {
  for (const char* controller : {"joint", "batchsizer+", "batchsizer", "dvfs"}) {
    const Json document =
        json(fmt::format("{} --cap 180W --duration 10s --controller {}", kTwin, controller));
    keeps_the_contract(document);
    EXPECT_EQ(document["controller"], controller);
  }
}

TEST_F(Cap, NoClockLeavesTheClockUnset) {
  const Json document = json(fmt::format("{} --cap 200W --duration 5s --no-clock", kTwin));
  keeps_the_contract(document);
  EXPECT_TRUE(document["mean_clock_mhz"].is_null());
}

TEST_F(Cap, UsesOnlyTheGivenBatches) {
  const Json document = json(fmt::format("{} --cap 150W --duration 5s --batch 24,8,8,16", kTwin));
  for (const Json& decision : document["decisions"]) {
    const int batch = decision["batch"];
    EXPECT_TRUE(batch == 8 || batch == 16 || batch == 24) << batch;
  }
}

TEST_F(Cap, IsReproducibleForASeed) {
  const auto text = [&](int seed) {
    return cap(fmt::format("{} --cap 150W --duration 5s --seed {}", kTwin, seed)).out;
  };
  EXPECT_EQ(text(4), text(4));
  EXPECT_NE(text(4), text(5));
  EXPECT_NE(text(4).find("(simulated board, seed 4)"), std::string::npos);
}

TEST_F(Cap, MeetsAHalvedCapWithinTwoDecisions) {
  write("half.csv", "time_seconds,watts\n0,240W\n10s,120\n");
  for (const char* device : {"v100", "a40", "p40", "rtx6000"}) {
    for (int seed = 1; seed <= 5; ++seed) {
      const Json document = json(
          fmt::format("resnet50 --device {} --schedule half.csv --duration 20s --seed {}", device, seed));
      ASSERT_EQ(document["caps"].size(), 2u);
      EXPECT_EQ(document["cap_watts"], 120);
      EXPECT_EQ(document["caps"][1]["origin"], "schedule");
      EXPECT_GE(document["caps"][1]["time_seconds"], 10);
      ASSERT_TRUE(document["caps"][1]["took_seconds"].is_number()) << device << " " << seed;
      EXPECT_LE(document["caps"][1]["decisions"], 2) << device << " " << seed;
    }
  }
}

TEST_F(Cap, MeetsALatencyBound) {
  const Json document = json(fmt::format("{} --cap 200W --duration 10s --max-latency 'p99<=15ms'", kTwin));
  EXPECT_EQ(document["latency_bound_seconds"], 0.015);
  EXPECT_LE(document["decisions"].back()["latency_seconds"], 0.015);
  EXPECT_LE(document["oracle"]["latency_seconds"], 0.015);
}

TEST_F(Cap, LogsEveryDecision) {
  const Json document = json(fmt::format("{} --cap 150W --duration 5s --log log.csv", kTwin));
  const auto log = table::read_csv((folder_ / "log.csv").string());
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->table.rows(), document["decisions"].size());
  for (const auto& [name, value] : document["decisions"][0].items())
    EXPECT_TRUE(log->table.has(name)) << name;
  const auto& reason = *log->table.column("reason").value();
  const auto& power = *log->table.number_column("power_watts").value();
  for (std::size_t i = 0; i < log->table.rows(); ++i) {
    EXPECT_EQ(reason.cell(i), document["decisions"][i]["reason"].get<std::string>());
    EXPECT_EQ(power.number_at(i), document["decisions"][i]["power_watts"]);
  }
}

TEST_F(Cap, ExitsWithThreeIfNoPointHoldsTheCap) {
  const Json document = json(fmt::format("{} --cap 28W --duration 3s", kTwin), 3);
  EXPECT_TRUE(document["oracle_throughput"].is_null());
  ASSERT_EQ(document["not_held"].size(), 1u);
  EXPECT_NE(document["not_held"][0].get<std::string>().find("joint cannot hold 28 W: its lowest power"),
            std::string::npos);
  EXPECT_TRUE(document["caps"][0]["took_seconds"].is_null());
  EXPECT_EQ(document["decisions"].back()["batch"], 1);

  const auto batches = cap(fmt::format("{} --cap 60W --duration 3s --controller batchsizer+", kTwin));
  EXPECT_EQ(batches.exit_code, 3);
  EXPECT_NE(batches.out.find("batchsizer+ cannot hold 60 W"), std::string::npos) << batches.out;
  EXPECT_NE(batches.out.find("; joint can\n"), std::string::npos) << batches.out;

  const auto late = cap(fmt::format("{} --cap 150W --duration 3s --max-latency 1ms", kTwin));
  EXPECT_EQ(late.exit_code, 3);
  EXPECT_NE(late.out.find("no point within 150 W meets a latency of 1 ms"), std::string::npos) << late.out;
}

TEST_F(Cap, FollowsACapFile) {
  write("cap.txt", "150W\n");
  const auto ran = test::run_shell(
      fmt::format("{} cap {} --cap-file cap.txt --duration 5s --json > out.json & "
                  "sleep 1.5; echo 90W > cap.txt; kill -HUP $!; sleep 1.5; echo rubbish > cap.txt; wait $!",
                  ERGON_PROGRAMS "/ergon", kQuick),
      folder_.path().string());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json document = Json::parse(std::ifstream(folder_ / "out.json"), nullptr, false);
  keeps_the_contract(document);
  ASSERT_EQ(document["caps"].size(), 2u) << document["caps"];
  EXPECT_EQ(document["cap_watts"], 90);
  EXPECT_EQ(document["caps"][1]["origin"], "file cap.txt");
  ASSERT_EQ(document["remarks"].size(), 1u);
  EXPECT_NE(document["remarks"][0].get<std::string>().find("rubbish"), std::string::npos);
  EXPECT_EQ(read_file(folder_ / "cap.txt.ack").value_or("").substr(0, 13), "cap_watts=90 ");
}

TEST_F(Cap, ReceivesCapsFromASocket) {
  write("cap_client.py",
        "import socket, sys, time\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "while True:\n"
        "    try: s.connect('s.sock'); break\n"
        "    except OSError: time.sleep(0.05)\n"
        "s.sendall(b'150W\\n')\n"
        "f = s.makefile()\n"
        "print(f.readline(), f.readline(), sep='', end='')\n");
  const auto ran = test::run_shell(
      fmt::format("python3 cap_client.py > answers & {} cap {} --cap-socket s.sock --duration 2s --json > "
                  "out.json && wait && test ! -e s.sock",
                  ERGON_PROGRAMS "/ergon", kQuick),
      folder_.path().string());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "s.sock: waiting for the first cap\n");
  const Json document = Json::parse(std::ifstream(folder_ / "out.json"), nullptr, false);
  EXPECT_EQ(document["cap_watts"], 150);
  EXPECT_EQ(document["caps"][0]["origin"], "socket");
  const std::string answers = read_file(folder_ / "answers").value_or("");
  EXPECT_EQ(answers.substr(0, 16), "ok 150 W\nmet in ") << answers;
}

TEST_F(Cap, ReportsUpToAnInterrupt) {
  write("cap.txt", "150W\n");
  const auto ran = test::run_shell(fmt::format("timeout --foreground --signal=INT --preserve-status 6 {} cap "
                                               "{} --cap-file cap.txt --duration 60s -q --log "
                                               "log.csv --json",
                                               ERGON_PROGRAMS "/ergon", kQuick),
                                   folder_.path().string());
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_EQ(ran.err, "ergon: interrupted\n");
  const Json document = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << ran.out;
  EXPECT_EQ(document["interrupted"], true);
  EXPECT_LT(document["duration_seconds"], 30);
  const auto log = table::read_csv((folder_ / "log.csv").string());
  ASSERT_TRUE(log);
  EXPECT_EQ(log->table.rows(), document["decisions"].size());
}

TEST_F(Cap, StopsWaitingForASocketWhenInterrupted) {
  const auto ran = test::run_shell(
      fmt::format("timeout --foreground --signal=INT --preserve-status 1.5 {} cap {} --cap-socket s.sock -q",
                  ERGON_PROGRAMS "/ergon", kQuick),
      folder_.path().string());
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_EQ(ran.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.sock"));
}

}  // namespace
}  // namespace ergon::app
