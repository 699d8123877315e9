// The real program over a real socket.

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/serve/served_program.h"
#include "base/text.h"
#include "support/process.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;
using test::comes_true;

class Serving : public testing::Test {
 protected:
  test::ServedProgram& served(const std::vector<std::string>& options = {"--twin", "v100:resnet50:32"},
                              const test::ServedProgram::Headers& environment = {}) {
    program_.reset();
    program_ = std::make_unique<test::ServedProgram>(folder_.path(), options, environment);
    EXPECT_TRUE(program_->started()) << program_->said() << program_->complained();
    return *program_;
  }
  test::ProcessResult ergon(const std::string& words) const {
    return test::run_shell(fmt::format("{}/ergon {}", ERGON_PROGRAMS, words), folder_.path().string());
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<test::ServedProgram> program_;
};

void expect_error(const test::HttpAnswer& answer, int status, const std::string& asked) {
  EXPECT_EQ(answer.status, status) << asked << "\n" << answer.body.substr(0, 300);
  const Json json = Json::parse(answer.body, nullptr, false);
  ASSERT_TRUE(json.is_object() && json.contains("error")) << asked << "\n" << answer.body.substr(0, 300);
  EXPECT_TRUE(json["error"]["message"].is_string()) << asked;
}

TEST_F(Serving, ServesThePageAndItsAssets) {
  const auto& program = served();
  const auto page = program.get("/");
  if (page.status == 501) GTEST_SKIP() << "built without its pages";
  const std::vector<std::pair<std::string, std::string>> all = {{"/", "text/html; charset=utf-8"},
                                                                {"/index.html", "text/html; charset=utf-8"},
                                                                {"/app.js", "text/javascript; charset=utf-8"},
                                                                {"/app.css", "text/css; charset=utf-8"}};
  for (const auto& [path, type] : all) {
    const auto answer = program.get(path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_TRUE(answer.whole) << path;
    EXPECT_EQ(answer.header("content-type"), type) << path;
    EXPECT_GT(answer.body.size(), 200u) << path;
    EXPECT_EQ(program.ask("HEAD", path).header("content-length"), std::to_string(answer.body.size())) << path;
    expect_error(program.ask("POST", path, "{}"), 405, path);
  }
  EXPECT_NE(page.body.find("app.js"), std::string::npos);
  EXPECT_EQ(page.body.find("<script>"), std::string::npos) << "the policy would not let it run";
}

TEST_F(Serving, EveryResponseHasSecurityHeaders) {
  const auto& program = served();
  for (const char* path : {"/", "/api/v1/zoo", "/metrics", "/nothing", "/api/v1/nothing"}) {
    const auto answer = program.get(path);
    const std::string policy = answer.header("content-security-policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << path;
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos) << path;
    EXPECT_EQ(policy.find("unsafe"), std::string::npos) << path;
    EXPECT_EQ(answer.header("x-content-type-options"), "nosniff") << path;
    EXPECT_EQ(answer.header("access-control-allow-origin"), "") << path;
  }
}

TEST_F(Serving, DocumentsMatchTheCommandLine) {
  const auto& program = served();
  Json served_zoo = program.json("/zoo"), printed = Json::parse(ergon("zoo --json").out, nullptr, false);
  ASSERT_TRUE(served_zoo.is_object() && printed.is_object());
  served_zoo.erase("provenance");
  printed.erase("provenance");
  EXPECT_EQ(served_zoo, printed);
  EXPECT_GT(served_zoo["networks"].size(), 10u);
}

// Compares the server with its OpenAPI description.
TEST_F(Serving, TheServerMatchesItsDescription) {
  const auto& program = served();
  const Json described = program.json("/openapi.json");
  ASSERT_TRUE(described.is_object());
  const Json document = described["components"]["schemas"]["Document"];
  int asked = 0;
  for (const auto& [path, item] : described["paths"].items()) {
    if (!item.contains("get") || path.find('{') != std::string::npos) continue;
    std::string query;
    for (const Json& parameter : item["get"].value("parameters", Json::array())) {
      if (parameter.contains("example"))
        query += (query.empty() ? "?" : "&") + parameter["name"].get<std::string>() + "=" +
                 parameter["example"].get<std::string>();
    }
    const auto answer = program.get("/api/v1" + path + query);
    EXPECT_EQ(answer.status, 200) << path << query << "\n" << answer.body.substr(0, 300);
    EXPECT_TRUE(answer.header("content-type").starts_with("application/json")) << path;
    const Json json = Json::parse(answer.body, nullptr, false);
    ASSERT_TRUE(json.is_object()) << path;
    ++asked;
    const Json& schema = item["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    for (const Json& name : schema.value("required", Json::array()))
      EXPECT_TRUE(json.contains(name)) << path << " " << name;
    if (!schema.contains("allOf")) continue;
    EXPECT_EQ(json["schema"], schema["allOf"][1]["properties"]["schema"]["enum"][0]) << path;
    for (const Json& name : document["required"]) EXPECT_TRUE(json.contains(name)) << path << " " << name;
    for (const Json& name : document["properties"]["provenance"]["required"])
      EXPECT_TRUE(json["provenance"].contains(name)) << path << " " << name;
  }
  EXPECT_GE(asked, 15);
}

// Every described parameter is an option of the command.
TEST_F(Serving, AcceptsAllDescribedParameters) {
  const auto& program = served();
  const Json described = program.json("/openapi.json");
  for (const auto& [path, item] : described["paths"].items()) {
    if (!item.contains("get")) continue;
    for (const Json& parameter : item["get"].value("parameters", Json::array())) {
      const std::string name = parameter["name"], type = parameter["schema"]["type"];
      const std::string value = type == "boolean" ? "true" : type == "number" ? "1" : "zzz";
      std::string query = "?" + name + "=" + value;
      for (const Json& other : item["get"]["parameters"]) {
        if (other["name"] != name && other["required"])
          query += "&" + other["name"].get<std::string>() + "=" + other["example"].get<std::string>();
      }
      const auto answer = program.get("/api/v1" + path + query);
      EXPECT_EQ(answer.body.find("unknown option"), std::string::npos) << path << query << "\n"
                                                                       << answer.body.substr(0, 300);
      EXPECT_NE(answer.status, 500) << path << query << "\n" << answer.body.substr(0, 300);
    }
  }
}

TEST_F(Serving, InvalidRequestsGetAMessage) {
  const auto& program = served();
  expect_error(program.get("/api/v1/inspect"), 400, "missing network");
  expect_error(program.get("/api/v1/inspect?network=resnet51"), 404, "unknown network");
  expect_error(program.get("/api/v1/inspect?network=resnet50&batch=-1"), 400, "invalid batch");
  expect_error(program.get("/api/v1/inspect?network=resnet50&x=1"), 400, "unknown parameter");
  expect_error(program.get("/api/v1/estimate?network=resnet50&device=a30&clock=900W"), 400, "invalid clock");
  for (const char* name : {"serve", "zoo", "measure", "compare", "--help", "-h", "--html=x"}) {
    for (const char* path : {"inspect", "allocate", "simulate", "roofline"}) {
      const auto answer = program.get(fmt::format("/api/v1/{}?network={}", path, name));
      EXPECT_TRUE(answer.status == 400 || answer.status == 404)
          << path << " " << name << " " << answer.body.substr(0, 300);
    }
  }
  const auto named = Json::parse(program.get("/api/v1/inspect?network=resnet51").body);
  EXPECT_EQ(named["error"]["message"].get<std::string>().find("ergon: "), std::string::npos);
}

TEST_F(Serving, DoesNotReadLocalFiles) {
  const std::string layers =
      "Layer name,IFMAP Height,IFMAP Width,Filter Height,Filter Width,Channels,Num "
      "Filter,Strides,\nConv1,8,8,3,3,3,4,1,\n";
  for (const char* name : {"net.csv", "NET.CSV", "secret"}) ASSERT_TRUE(write_file(folder_ / name, layers));
  const auto& program = served();
  for (const char* name : {"net.csv", "NET.CSV", "./NET.CSV", "./net.csv"}) {
    for (const char* path : {"simulate", "inspect", "allocate"})
      expect_error(program.get(fmt::format("/api/v1/{}?network={}", path, name)), 400, name);
  }
  // Responses do not reveal which files exist.
  const auto there = program.get("/api/v1/inspect?network=secret"),
             missing = program.get("/api/v1/inspect?network=sekret");
  EXPECT_EQ(there.status, missing.status) << there.body << missing.body;
}

TEST_F(Serving, RejectsPathTraversal) {
  const auto& program = served();
  ASSERT_TRUE(write_file(folder_ / "secret.json", R"({"schema": "secret/1"})"));
  for (const char* path : {"/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2fetc%2fpasswd",
                           "/api/v1/results/..%2f..%2fetc%2fpasswd", "/api/v1/results/%2e%2e",
                           "/api/v1/results/../secret.json", "/api/v1/results/..%2fsecret.json",
                           "/api/v1/jobs/%2e%2e", "/api/v1/jobs/..%2f..", "/api/v1/../../etc/passwd",
                           "//etc/passwd", "/app.js/../../etc/passwd", "/api/v1/results/secret.json%00"}) {
    const auto answer = program.get(path);
    EXPECT_TRUE(answer.status >= 400 && answer.status < 500) << path << " " << answer.status;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos) << path;
    EXPECT_EQ(answer.body.find("secret/1"), std::string::npos) << path;
  }
}

TEST_F(Serving, ListsDocumentsInTheResultsFolder) {
  const auto& program = served();
  EXPECT_EQ(ergon("zoo --json > results/zoo.json").exit_code, 0);
  const Json listed = program.json("/results");
  ASSERT_EQ(listed["results"].size(), 1u);
  EXPECT_EQ(listed["results"][0]["id"], "zoo.json");
  EXPECT_EQ(listed["results"][0]["schema"], "ergon.zoo/1");
  EXPECT_EQ(program.get("/api/v1/results/zoo.json").body,
            read_file(folder_ / "results/zoo.json").value_or(""));
}

TEST_F(Serving, RejectsInvalidBodies) {
  const auto& program = served();
  for (const char* body :
       {"", "{", "[]", "null", "{\"command\": \"sweep\"}", "{\"command\": \"rm\", \"options\": {}}"})
    expect_error(program.ask("POST", "/api/v1/jobs", body), 400, body);
  expect_error(program.ask("POST", "/api/v1/jobs", "{}", {{"Content-Type", "text/plain"}}), 415, "text");
  expect_error(program.ask("POST", "/api/v1/jobs", std::string((64 << 10) + 1, ' ')), 413, "a large body");
  expect_error(program.ask("POST", "/api/v1/jobs", std::string(64 << 10, ' ')), 400,
               "a body that is just small enough");
  expect_error(program.ask("DELETE", "/api/v1/zoo"), 405, "a zoo that is deleted");
  expect_error(program.get("/api/v1/nothing"), 404, "nothing");
  expect_error(program.get("/" + std::string(10'000, 'a')), 414, "a long address");
  expect_error(program.get("/api/v1/zoo", {{"Host", "evil.example"}}), 403, "a name of others");
  expect_error(program.ask("POST", "/api/v1/jobs", "{}", {{"Origin", "http://evil.example"}}), 403,
               "a page of others");
}

// The HTTP library mishandles ranges beyond the end, so the server ignores ranges; malformed ones are errors.
TEST_F(Serving, RangesAreIgnored) {
  const auto& program = served();
  const std::string whole = program.get("/api/v1/version").body;
  ASSERT_GT(whole.size(), 100u);
  for (const char* range : {"bytes=0-9", "bytes=-5", "bytes=500-900", "bytes=400-2000", "bytes=0-5000",
                            "bytes=1000000-1000100", "bytes=9-3", "bytes=a-b", "9-3"}) {
    const auto answer = program.get("/api/v1/version", {{"Range", range}});
    EXPECT_EQ(answer.status, 200) << range;
    EXPECT_TRUE(answer.whole) << range;
    EXPECT_EQ(answer.body, whole) << range;
    EXPECT_EQ(answer.header("content-length"), std::to_string(whole.size())) << range;
    EXPECT_EQ(answer.header("content-range"), "") << range;
  }
}

double metric_of(const std::string& page, const std::string& name) {
  for (const auto line : split(page, '\n')) {
    if (!line.starts_with(name + "{") && !line.starts_with(name + " ")) continue;
    return parse_double(line.substr(line.rfind(' ') + 1)).value_or(-1);
  }
  return -1;
}

TEST_F(Serving, MetricsShowTheTwin) {
  const auto& program = served();
  const Json estimate =
      Json::parse(ergon("estimate resnet50 --device v100 --batch 32 --json").out, nullptr, false);
  ASSERT_TRUE(estimate.is_object());
  const double expected = estimate["power_watts"];
  std::string page;
  EXPECT_TRUE(comes_true([&] {
    page = program.get("/metrics").body;
    return std::abs(metric_of(page, "ergon_gpu_power_watts") / expected - 1) < 0.05;
  })) << expected
      << "\n"
      << page;
  EXPECT_EQ(program.get("/metrics").header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(metric_of(page, "ergon_gpu_simulated"), 1);
  const Json gauges = program.json("/gauges");
  EXPECT_EQ(gauges["provenance"]["simulated"], true);
}

TEST_F(Serving, MetricsPassPromtool) {
  if (ergon("--version > /dev/null; which promtool").exit_code != 0) GTEST_SKIP() << "there is no promtool";
  const auto& program = served();
  const Json job = program.start({{"command", "cap"},
                                  {"options",
                                   {{"network", "resnet18"},
                                    {"device", "v100"},
                                    {"watts", 200},
                                    {"batch", {1, 2, 4, 8}},
                                    {"duration", "60s"}}}});
  std::string page;
  EXPECT_TRUE(comes_true([&] {
    page = program.get("/metrics").body;
    return page.find("ergon_cap_") != std::string::npos;
  })) << page;
  ASSERT_TRUE(write_file(folder_ / "page", page));
  const auto checked = test::run_shell("promtool check metrics < page", folder_.path().string(), {}, true);
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_EQ(checked.out, "");
}

TEST_F(Serving, ASweepIsStoppedAndResumed) {
  const auto& program = served({});
  const Json job = program.start({{"command", "sweep"},
                                  {"options",
                                   {{"device", "v100"},
                                    {"networks", {"resnet50", "vgg16", "alexnet"}},
                                    {"clocks", "all"},
                                    {"repeat", 6}}}});
  const std::string id = job["id"];
  EXPECT_EQ(job["title"], "resnet50,vgg16,alexnet on v100");
  const auto rows = folder_ / ("results/jobs/" + id + "/sweep/runs.csv");
  ASSERT_TRUE(comes_true([&] { return split(read_file(rows).value_or(""), '\n').size() > 20; }));
  expect_error(program.ask("DELETE", "/api/v1/jobs/" + id), 400, "one that is running");
  EXPECT_EQ(program.ask("POST", "/api/v1/jobs/" + id + "/cancel").status, 200);
  ASSERT_TRUE(program.becomes(id, "cancelled")) << program.json("/jobs/" + id);
  const Json cancelled = program.json("/jobs/" + id);
  EXPECT_EQ(cancelled["resumable"], true);
  EXPECT_EQ(cancelled["exit_code"], 130);
  EXPECT_EQ(cancelled["result"], true) << "what there was has been evaluated";
  EXPECT_EQ(program.json("/jobs/" + id + "/result")["schema"], "ergon.sweep.evaluate/2");
  const auto before = split(read_file(rows).value_or(""), '\n').size();
  EXPECT_EQ(program.ask("POST", "/api/v1/jobs/" + id + "/resume").status, 200);
  ASSERT_TRUE(program.becomes(id, "done")) << program.json("/jobs/" + id);
  EXPECT_GT(split(read_file(rows).value_or(""), '\n').size(), before);
  const Json result = program.json("/jobs/" + id + "/result");
  EXPECT_EQ(result["schema"], "ergon.sweep.evaluate/2");
  EXPECT_EQ(result["provenance"]["simulated"], true);
  EXPECT_EQ(program.json("/jobs/" + id)["simulated"], true);
  EXPECT_EQ(program.json("/results")["results"][0]["id"], id);
}

TEST_F(Serving, AFailedSweepReportsItsError) {
  const auto& program = served({});
  const std::string id = program.start(
      {{"command", "sweep"}, {"options", {{"device", "v100"}, {"networks", "resnet51"}}}})["id"];
  ASSERT_TRUE(program.becomes(id, "failed"));
  const std::string message = program.json("/jobs/" + id)["message"];
  EXPECT_NE(message.find("resnet51"), std::string::npos) << message;
}

// Real commands: a fleet that takes more memory than it may, and jobs that wait for it.
TEST_F(Serving, JobsHaveLimits) {
  const auto& program = served({"--job-memory", "200MiB", "--job-disk", "500MiB", "--max-running-jobs", "1"});
  const auto fleet = [](std::int64_t hosts, double hours) {
    return Json{{"command", "fleet"}, {"options", {{"hosts", hosts}, {"hours", hours}}}};
  };
  const auto rejected = program.ask("POST", "/api/v1/jobs", fleet(10'000'000, 87840).dump());
  expect_error(rejected, 400, "a fleet of petabytes");
  EXPECT_NE(rejected.body.find("--job-disk"), std::string::npos) << rejected.body;
  const std::string large = program.start(fleet(1'000'000, 1e-4))["id"];
  const Json small = program.start(fleet(2, 0.02));
  EXPECT_EQ(small["state"], "queued");
  ASSERT_TRUE(program.becomes(large, "failed")) << program.json("/jobs/" + large);
  const std::string message = program.json("/jobs/" + large)["message"];
  EXPECT_TRUE(message.starts_with("stopped: used ")) << message;
  EXPECT_NE(message.find("--job-memory"), std::string::npos) << message;
  EXPECT_TRUE(program.becomes(small["id"], "done"))
      << program.json("/jobs/" + small["id"].get<std::string>());
}

TEST_F(Serving, ACapJobFollowsTheCap) {
  const auto& program = served({});
  const std::string id = program.start({{"command", "cap"},
                                        {"options",
                                         {{"network", "resnet18"},
                                          {"device", "v100"},
                                          {"watts", 220},
                                          {"batch", {1, 2, 4, 8}},
                                          {"duration", "120s"}}}})["id"];
  test::RawConnection events(program.port());
  ASSERT_TRUE(events.send("GET /api/v1/jobs/" + id + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  const auto head = events.head();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-type"), "text/event-stream");
  EXPECT_NE(events.until("\"cap_watts\":220.0").find("event: "), std::string::npos);
  EXPECT_NE(events.until("event: decision").find("event: decision"), std::string::npos);
  const auto changed = program.ask("PUT", "/api/v1/jobs/" + id + "/cap", R"({"watts": 120})");
  EXPECT_EQ(changed.status, 200) << changed.body;
  // Later decisions have the new cap, and power follows.
  std::string decision;
  ASSERT_TRUE(comes_true([&] {
    events.until("event: decision\n");
    decision = events.until("\n\n");
    const auto data = decision.find("data: ");
    const Json row =
        data == std::string::npos ? Json() : Json::parse(decision.substr(data + 6), nullptr, false);
    return row.is_object() && row["cap_watts"] == 120.0 && row["power_watts"].is_number() &&
           row["power_watts"] < 125.0;
  })) << decision;
  EXPECT_NE(program.get("/metrics").body.find("ergon_cap_"), std::string::npos);
  const auto second = program.ask(
      "POST", "/api/v1/jobs",
      R"({"command": "cap", "options": {"network": "resnet18", "device": "v100", "watts": 100}})");
  expect_error(second, 409, "a second cap on one device");
  EXPECT_EQ(program.ask("POST", "/api/v1/jobs/" + id + "/cancel").status, 200);
  EXPECT_NE(events.until("event: end").find("event: end"), std::string::npos);
  ASSERT_TRUE(program.becomes(id, "cancelled"));
}

TEST_F(Serving, ADeviceAsAListWorks) {
  const auto& program = served({});
  const auto started =
      program.ask("POST", "/api/v1/jobs",
                  R"({"command": "cap", "options": {"network": "resnet18", "device": ["v100"], "watts": 200,)"
                  R"( "batch": "1,2", "duration": "60s"}})");
  if (started.status == 201) {
    const std::string log =
        "results/jobs/" + Json::parse(started.body)["id"].get<std::string>() + "/decisions.csv";
    ASSERT_TRUE(comes_true([&] { return split(read_file(folder_ / log).value_or(""), '\n').size() > 3; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_EQ(program.get("/metrics").status, 200);
  EXPECT_EQ(program.get("/api/v1/jobs").status, 200);
}

TEST_F(Serving, JobsPersistAcrossRestarts) {
  std::string done, running;
  {
    auto& program = served({});
    done = program.start({{"command", "fleet"}, {"options", {{"hosts", 2}, {"hours", 0.1}}}})["id"];
    ASSERT_TRUE(program.becomes(done, "done")) << program.json("/jobs/" + done);
    EXPECT_EQ(program.json("/jobs/" + done + "/result")["schema"], "ergon.fleet/3");
    running = program.start({{"command", "cap"},
                             {"options",
                              {{"network", "resnet18"},
                               {"device", "v100"},
                               {"watts", 200},
                               {"batch", "1,2"},
                               {"duration", "120s"}}}})["id"];
    ASSERT_TRUE(
        comes_true([&] { return program.get("/metrics").body.find("ergon_cap_") != std::string::npos; }));
    EXPECT_EQ(program.signalled(SIGKILL), 128 + SIGKILL);
  }
  // Its jobs were stopped when it died.
  const std::string log = "results/jobs/" + running + "/decisions.csv";
  ASSERT_TRUE(comes_true([&] {
    const std::string before = read_file(folder_ / log).value_or("");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return read_file(folder_ / log).value_or("") == before;
  }));
  const auto& again = served({});
  EXPECT_EQ(again.state(done), "done");
  EXPECT_EQ(again.state(running), "interrupted");
  EXPECT_EQ(again.json("/jobs")["jobs"].size(), 2u);
  EXPECT_EQ(again.ask("DELETE", "/api/v1/jobs/" + running).status, 204);
  EXPECT_FALSE(std::filesystem::exists(folder_ / ("results/jobs/" + running)));
}

TEST_F(Serving, AnInterruptStopsTheServer) {
  auto& program = served();
  test::RawConnection idle(program.port());
  EXPECT_EQ(program.signalled(SIGINT), 130);
}

TEST_F(Serving, AnInterruptStopsTheServerAndItsJobs) {
  auto& program = served({});
  const std::string cap = program.start({{"command", "cap"},
                                         {"options",
                                          {{"network", "resnet18"},
                                           {"device", "v100"},
                                           {"watts", 200},
                                           {"batch", "1,2"},
                                           {"duration", "300s"}}}})["id"];
  ASSERT_TRUE(
      comes_true([&] { return program.get("/metrics").body.find("ergon_cap_") != std::string::npos; }));
  test::RawConnection events(program.port());
  ASSERT_TRUE(events.send("GET /api/v1/jobs/" + cap + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_NE(events.until("event: ").find("event: "), std::string::npos);
  EXPECT_EQ(program.signalled(SIGINT), 130);
  const Json job =
      Json::parse(read_file(folder_ / ("results/jobs/" + cap + "/job.json")).value_or(""), nullptr, false);
  ASSERT_TRUE(job.is_object());
  EXPECT_EQ(job["state"], "interrupted");
}

// At any time: before the handlers exist, before the server exists, or when it starts to listen.
// Slow clients and costly documents, which are stopped with the server.
TEST_F(Serving, AnswersAProbeAmongSlowAndCostlyRequests) {
  auto& program = served();
  std::vector<std::unique_ptr<test::RawConnection>> held;
  for (int i = 0; i < 500; ++i) {
    held.push_back(std::make_unique<test::RawConnection>(program.port()));
    ASSERT_TRUE(held.back()->send("GET / HTTP/1.1\r\nX-Slow: "));
  }
  for (int i = 0; i < 64; ++i) {
    held.push_back(std::make_unique<test::RawConnection>(program.port()));
    ASSERT_TRUE(held.back()->send("GET /api/v1/roofline?network=resnet50&size=" + std::to_string(90'000 + i) +
                                  " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  for (const char* path : {"/metrics", "/api/v1/version", "/api/v1/jobs", "/app.css"}) {
    for (const auto& each : held) each->send("a");
    std::array<std::chrono::steady_clock::duration, 9> times{};
    for (auto& each : times) {
      const auto start = std::chrono::steady_clock::now();
      EXPECT_EQ(program.get(path).status, 200) << path;
      each = std::chrono::steady_clock::now() - start;
    }
    std::sort(times.begin(), times.end());
    EXPECT_LT(times[times.size() / 2], std::chrono::seconds(1))
        << path << ": the median, as this machine may have other work";
  }
  EXPECT_EQ(program.signalled(SIGINT, std::chrono::seconds(15)), 130);
}

TEST_F(Serving, AnInterruptDuringStartupStopsTheServer) {
  for (int milliseconds = 0; milliseconds <= 100; milliseconds += 5) {
    test::ServedProgram program(folder_.path(), {"--twin", "v100"}, {}, true);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ASSERT_EQ(program.signalled(SIGINT, std::chrono::seconds(15)), 130)
        << milliseconds << " ms after its start";
  }
}

TEST_F(Serving, TwoServersCannotShareResults) {
  const auto& program = served({});
  const auto second = ergon("serve --port 0 --results results");
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_NE(second.err.find("another server"), std::string::npos) << second.err;
  const auto same_port = ergon(fmt::format("serve --port {} --results others", program.port()));
  EXPECT_EQ(same_port.exit_code, 1);
  EXPECT_NE(same_port.err.find("in use"), std::string::npos) << same_port.err;
}

TEST_F(Serving, RequiresATokenBeyondLoopback) {
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "localhost.example"}) {
    const auto refused = ergon(fmt::format("serve --port 0 --results results --no-token --host {}", host));
    EXPECT_EQ(refused.exit_code, 1) << host;
    EXPECT_NE(refused.err.find("token"), std::string::npos) << refused.err;
    EXPECT_EQ(refused.out, "") << host;
  }
}

TEST_F(Serving, RejectsInvalidTokens) {
  ASSERT_TRUE(write_file(folder_ / "empty", "\n"));
  ASSERT_TRUE(write_file(folder_ / "short", "0123456789abcde\n"));
  ASSERT_TRUE(write_file(folder_ / "blank", "0123456789 abcdef\n"));
  for (const char* file : {"empty", "short", "blank", "missing"}) {
    const auto refused = ergon(fmt::format("serve --port 0 --results results --token-file {}", file));
    EXPECT_EQ(refused.exit_code, 1) << file;
    EXPECT_NE(refused.err, "") << file;
    EXPECT_EQ(refused.err.find("0123456789"), std::string::npos) << "the message contains the token";
  }
}

TEST_F(Serving, RequiresTheToken) {
  const std::string token = "0123456789abcdef";
  ASSERT_TRUE(write_file(folder_ / "token", token + "\n"));
  const auto& program = served({"--token-file", "token", "--twin", "v100"});
  EXPECT_EQ(program.said().find(token), std::string::npos);
  for (const char* path : {"/api/v1/zoo", "/metrics", "/api/v1/jobs", "/api/v1/gauges"}) {
    expect_error(program.get(path), 401, path);
    expect_error(program.get(path, {{"Authorization", "Bearer 0123456789abcdeg"}}), 401, path);
    expect_error(program.get(path + ("?token=" + token)), 401, path);
    EXPECT_EQ(program.get(path, {{"Authorization", "Bearer " + token}}).status, 200) << path;
  }
  expect_error(program.ask("POST", "/api/v1/jobs", "{}"), 401, "a job");
  EXPECT_NE(program.get("/").status, 401) << "the page needs no token";
}

TEST_F(Serving, ReadsTheTokenFromTheEnvironment) {
  const auto& program = served({}, {{"ERGON_TOKEN", "0123456789abcdefXYZ"}});
  EXPECT_EQ(program.get("/api/v1/zoo").status, 401);
  EXPECT_EQ(program.get("/api/v1/zoo", {{"Authorization", "Bearer 0123456789abcdefXYZ"}}).status, 200);
}

TEST_F(Serving, PrintsADocumentWithJson) {
  const auto ran = ergon(
      "serve --port 0 --results results --json > out & pid=$!; i=0; "
      "while ! grep -q '^}' out && [ $i -lt 500 ]; do sleep 0.02; i=$((i+1)); done; sleep 1; kill -INT $pid; "
      "wait $pid; cat out");
  const Json document = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << ran.out << ran.err;
  EXPECT_EQ(document["schema"], "ergon.serve/1");
  const std::string address = document["address"].get<std::string>();
  EXPECT_TRUE(address.starts_with("http://127.0.0.1:"));
  EXPECT_EQ(document["token_needed"], true);
  EXPECT_EQ(document["token_file"], "results/token");
  EXPECT_EQ(document["link"],
            address + "#token=" + std::string(trim(read_file(folder_ / "results/token").value_or("?"))));
}

TEST_F(Serving, InvalidOptionsAreUsageErrors) {
  for (const char* options : {"--port -1", "--port 65536", "--port x", "--port 80.5", "--twn v100", "stray",
                              "--job-memory 4", "--job-memory 0GiB", "--job-time 3GiB", "--job-disk -1GiB",
                              "--results-quota x", "--max-running-jobs 0", "--max-running-jobs 1.5"})
    EXPECT_EQ(ergon(fmt::format("serve {}", options)).exit_code, 2) << options;
  const auto twin = ergon("serve --port 0 --results results --twin nobody");
  EXPECT_NE(twin.exit_code, 0);
  EXPECT_NE(twin.err.find("nobody"), std::string::npos) << twin.err;
  ASSERT_TRUE(write_file(folder_ / "file", ""));
  EXPECT_EQ(ergon("serve --port 0 --results file/below").exit_code, 1);
}

}  // namespace
}  // namespace ergon::app
