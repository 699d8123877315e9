#include "service/api/api.h"

#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "service/api/openapi.h"
#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;
using test::eventually;

class ApiTest : public testing::Test {
 protected:
  void SetUp() override { open(); }
  void open(const JobLimits& limits = {}) {
    api_.reset();
    jobs_.reset();
    auto opened = Jobs::open(folder_ / "results/jobs", program_.path(), clock_, limits);
    ASSERT_TRUE(opened);
    jobs_ = std::move(*opened);
    api_ = std::make_unique<Api>(
        [](const std::vector<std::string>& words, const std::stop_token&) -> Result<std::string> {
          return Json{{"asked", words}}.dump();
        },
        *jobs_, folder_ / "results", [] { return std::string("gauges"); });
  }
  Response ask(const std::string& method, const std::string& path, const std::string& body = "",
               Fields query = {}) {
    Request request;
    request.method = method;
    request.path = "/api/v1" + path;
    request.body = body;
    request.query = std::move(query);
    return api_->answer(request);
  }
  int status(const std::string& method, const std::string& path, const std::string& body = "") {
    return ask(method, path, body).status;
  }
  std::string start(const std::string& body) {
    const Response response = ask("POST", "/jobs", body);
    EXPECT_EQ(response.status, 201) << response.content();
    return Json::parse(response.content())["id"];
  }
  std::string state(const std::string& id) { return Json::parse(ask("GET", "/jobs/" + id).body)["state"]; }
  bool becomes(const std::string& id, const std::string& wanted) {
    return eventually([&] { return state(id) == wanted; });
  }

  test::TemporaryFolder folder_;
  test::ScriptProgram program_;
  SystemClock clock_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<Api> api_;
};

constexpr const char* kQuick = R"({"command": "reproduce", "options": {"paper": "quick"}})";
constexpr const char* kSlow = R"({"command": "reproduce", "options": {"paper": "slow"}})";
constexpr const char* kCap =
    R"({"command": "cap", "options": {"network": "a", "device": "v100", "watts": 250}})";

// Parses server-sent events like a browser.
struct Events {
  std::vector<std::pair<std::string, Json>> all;
  std::vector<std::string> ids;

  explicit Events(const std::string& text) {
    std::string event, data;
    std::size_t at = 0;
    while (at < text.size()) {
      const auto end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("event: ")) event = line.substr(7);
      if (line.starts_with("data: ")) data = line.substr(6);
      if (line.starts_with("id: ")) ids.push_back(line.substr(4));
      if (!line.empty() || event.empty()) continue;
      all.emplace_back(event, Json::parse(data));
      event.clear();
    }
  }
};

TEST_F(ApiTest, EndpointsRunTheirCommands) {
  const Response response = ask("GET", "/estimate", "", {{"device", "a30"}, {"network", "resnet50"}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(Json::parse(response.content())["asked"],
            Json::array({"estimate", "--device=a30", "resnet50", "--json", "--quiet"}));
  EXPECT_EQ(ask("GET", "/gauges").body, "gauges");
  EXPECT_EQ(Json::parse(ask("GET", "/openapi.json").body), openapi());
}

TEST_F(ApiTest, UnknownPathsGive404) {
  for (const char* path :
       {"/", "", "/zoo/", "/zoos", "/zoo/x", "/jobsx", "/resultsx", "/openapi", "/..", "//zoo", "/Zoo"})
    EXPECT_EQ(status("GET", path), 404) << path;
}

TEST_F(ApiTest, ReadOnlyPathsAcceptOnlyGet) {
  for (const char* path : {"/zoo", "/results", "/results/x.json", "/gauges", "/openapi.json"}) {
    for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
      const Response refused = ask(method, path);
      EXPECT_EQ(refused.status, 405) << method << path;
      EXPECT_EQ(refused.headers, (Fields{{"Allow", "GET"}})) << method << path;
    }
    EXPECT_NE(status("HEAD", path), 405) << path;
  }
}

TEST_F(ApiTest, JobPathsCheckTheMethod) {
  const std::string id = start(kQuick);
  ASSERT_TRUE(becomes(id, "done"));
  const std::vector<std::pair<std::string, std::set<std::string>>> all = {
      {"/jobs", {"GET", "HEAD", "POST"}},
      {"/jobs/" + id, {"GET", "HEAD", "DELETE"}},
      {"/jobs/" + id + "/result", {"GET", "HEAD"}},
      {"/jobs/" + id + "/events", {"GET", "HEAD"}},
      {"/jobs/" + id + "/cancel", {"POST"}},
      {"/jobs/" + id + "/resume", {"POST"}},
      {"/jobs/" + id + "/cap", {"PUT"}}};
  for (const auto& [path, methods] : all) {
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"}) {
      if (method == std::string("DELETE") && methods.contains("DELETE")) continue;
      EXPECT_EQ(status(method, path) != 405, methods.contains(method)) << method << " " << path;
    }
  }
  EXPECT_EQ(status("GET", "/jobs/" + id + "/nothing"), 404);
  EXPECT_EQ(status("GET", "/jobs/" + id + "/result/x"), 404);
}

TEST_F(ApiTest, RejectsInvalidJobBodies) {
  const std::string deep(100'000, '[');
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("null"), std::string("[]"), std::string("\"x\""),
        std::string("{}"), std::string(R"({"command": 7})"), std::string(R"({"command": "serve"})"),
        std::string(R"({"command": "reproduce"})"),
        std::string(R"({"command": "reproduce", "options": null})"),
        std::string(R"({"command": "reproduce", "options": []})"),
        std::string(R"({"command": "reproduce", "options": {"paper": "a.onnx"}})"),
        std::string(R"({"command": "reproduce", "options": {"paper": ["a", ["b"]]}})"),
        std::string(R"({"command": "reproduce", "options": {"paper": "quick", "x": 1}})"),
        std::string(R"({"command": "reproduce", "options": {"paper": "quick"}} x)"),
        std::string("{\"command\": \"reproduce\", \"options\": {\"paper\": \"\xff\"}}"), deep,
        R"({"command": "reproduce", "options": {"paper": )" + deep + "}}"}) {
    const Response response = ask("POST", "/jobs", body);
    EXPECT_EQ(response.status, 400) << body.substr(0, 100);
    EXPECT_TRUE(Json::parse(response.content())["error"]["message"].is_string());
  }
  EXPECT_EQ(Json::parse(ask("GET", "/jobs").body)["jobs"].size(), 0u);
}

TEST_F(ApiTest, RunsAJobFromStartToEnd) {
  const std::string id = start(kQuick);
  ASSERT_TRUE(becomes(id, "done"));
  EXPECT_EQ(Json::parse(ask("GET", "/jobs").body)["jobs"][0]["id"], id);
  const Response result = ask("GET", "/jobs/" + id + "/result");
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(Json::parse(result.body)["schema"], "quick/1");
  EXPECT_EQ(ask("GET", "/results/" + id).body, result.body);
  const Json listed = Json::parse(ask("GET", "/results").body)["results"];
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0]["id"], id);
  EXPECT_EQ(listed[0]["simulated"], true);
  const Response gone = ask("DELETE", "/jobs/" + id);
  EXPECT_EQ(gone.status, 204);
  EXPECT_EQ(gone.body, "");
  for (const char* path : {"", "/result", "/events"})
    EXPECT_EQ(status("GET", "/jobs/" + id + path), 404) << path;
  EXPECT_EQ(status("DELETE", "/jobs/" + id), 404);
}

// 140 jobs with long options made the list larger than responses may be, also after a restart.
TEST_F(ApiTest, ListsManyLargeJobsInPieces) {
  for (int i = 0; i < 140; ++i) {
    const std::string id = "20181108-074130-sweep-" + std::to_string(i + 1);
    const Json job = {{"id", id},
                      {"command", "sweep"},
                      {"title", "a on b"},
                      {"state", "done"},
                      {"created", "2018-11-08T07:41:30Z"},
                      {"ended", nullptr},
                      {"exit_code", 0},
                      {"message", ""},
                      {"progress", nullptr},
                      {"resumable", false},
                      {"result", false},
                      {"simulated", true},
                      {"cap_watts", nullptr},
                      {"options", {{std::string(60'000, 'A'), nullptr}}}};
    const auto folder = folder_ / ("results/jobs/" + id);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "job.json") << job.dump();
  }
  open();
  const Response response = ask("GET", "/jobs");
  EXPECT_EQ(response.status, 200);
  ASSERT_TRUE(response.stream);
  std::string text;
  const auto write = [&](std::string_view piece) {
    EXPECT_LT(piece.size(), 256u << 10);
    EXPECT_FALSE(piece.empty());
    text += piece;
    return true;
  };
  while (response.stream(write)) {
  }
  EXPECT_EQ(Json::parse(text)["jobs"].size(), 140u);
  EXPECT_EQ(status("DELETE", "/jobs/20181108-074130-sweep-1"), 204);
}

TEST_F(ApiTest, ListingResultsIsCostly) {
  Request request;
  request.path = "/api/v1/results";
  EXPECT_TRUE(Api::is_costly(request));
  request.path = "/api/v1/results/x.json";
  EXPECT_FALSE(Api::is_costly(request));
}

TEST_F(ApiTest, InvalidIdsAreNotFound) {
  for (const char* id : {"..", "../x", "A", "%2e", "-a", ".lock"}) {
    EXPECT_EQ(status("GET", std::string("/jobs/") + id), 404) << id;
    EXPECT_EQ(status("DELETE", std::string("/jobs/") + id), 404) << id;
    EXPECT_EQ(status("POST", std::string("/jobs/") + id + "/cancel"), 404) << id;
  }
  for (const char* id : {"../secret.json", "..", "jobs", ".json", "x"})
    EXPECT_EQ(status("GET", std::string("/results/") + id), 404) << id;
}

// Four run and two wait.
TEST_F(ApiTest, QueuesJobsAndRejectsTooMany) {
  JobLimits limits;
  limits.queued = 2;
  open(limits);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(state(start(kSlow)), "running");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(state(start(kQuick)), "queued");
  const Response refused = ask("POST", "/jobs", kSlow);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers, (Fields{{"Retry-After", "60"}}));
  EXPECT_EQ(Json::parse(refused.body)["error"]["kind"], "busy");
  EXPECT_EQ(status("POST", "/jobs", R"({"command": "reproduce"})"), 400) << "whatever the queue";
  EXPECT_EQ(Json::parse(ask("GET", "/jobs").body)["jobs"].size(), 6u) << "nobody's job was dropped";
}

TEST_F(ApiTest, RejectsJobsWhenTheResultsFolderIsFull) {
  JobLimits limits;
  limits.results = Bytes{1000};
  open(limits);
  ASSERT_TRUE(write_file(folder_ / "results/large.json", std::string(2000, ' ')));
  EXPECT_TRUE(eventually([&] { return status("POST", "/jobs", kQuick) == 507; }));
  const Response refused = ask("POST", "/jobs", kQuick);
  EXPECT_NE(refused.body.find("--results-quota"), std::string::npos) << refused.body;
  EXPECT_EQ(refused.headers, Fields{});
}

TEST_F(ApiTest, RejectsJobsThatExceedTheDiskLimit) {
  const Response refused =
      ask("POST", "/jobs", R"({"command": "fleet", "options": {"hosts": 10000000, "hours": 87840}})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("--job-disk"), std::string::npos) << refused.body;
  EXPECT_EQ(Json::parse(ask("GET", "/jobs").body)["jobs"].size(), 0u);
}

TEST_F(ApiTest, ChangesTheCap) {
  const std::string id = start(kCap);
  for (const char* body : {"", "250", "{}", R"({"watts": "250"})", R"({"watts": 0})", R"({"watts": -5})",
                           R"({"watts": null})", R"({"watts": 1e999})", R"({"watts": [1]})"})
    EXPECT_EQ(status("PUT", "/jobs/" + id + "/cap", body), 400) << body;
  const Response changed = ask("PUT", "/jobs/" + id + "/cap", R"({"watts": 180})");
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(Json::parse(changed.body)["cap_watts"], 180.0);
  EXPECT_EQ(status("POST", "/jobs/" + id + "/resume"), 400);
  EXPECT_EQ(status("POST", "/jobs/" + id + "/cancel"), 200);
  ASSERT_TRUE(becomes(id, "cancelled"));
  EXPECT_EQ(status("PUT", "/jobs/" + id + "/cap", R"({"watts": 180})"), 400);
}

TEST_F(ApiTest, StreamsEventsUntilTheJobEnds) {
  const std::string id = start(kCap);
  const Response response = ask("GET", "/jobs/" + id + "/events");
  EXPECT_EQ(response.type, "text/event-stream");
  ASSERT_TRUE(response.stream);
  std::string text;
  const auto write = [&](std::string_view more) {
    text += more;
    return true;
  };
  ASSERT_TRUE(eventually([&] { return response.stream(write) && Events(text).ids.size() >= 3; }));
  EXPECT_EQ(status("POST", "/jobs/" + id + "/cancel"), 200);
  ASSERT_TRUE(eventually([&] { return !response.stream(write); }));
  const Events events(text);
  for (std::size_t i = 0; i < events.ids.size(); ++i) EXPECT_EQ(events.ids[i], std::to_string(i + 1));
  EXPECT_EQ(events.all.back().first, "end");
  Json last_job;
  std::size_t decisions = 0;
  for (const auto& [event, data] : events.all) {
    if (event == "job") last_job = data;
    if (event == "decision") {
      EXPECT_EQ(data["at_seconds"], static_cast<double>(decisions++));
    }
  }
  EXPECT_EQ(decisions, events.ids.size());
  EXPECT_EQ(last_job["state"], "cancelled");
  // A follower that disconnected after the second decision.
  Request again;
  again.path = "/api/v1/jobs/" + id + "/events";
  again.headers = {{"last-event-id", "2"}};
  const Response rest = api_->answer(again);
  text.clear();
  while (rest.stream(write)) {
  }
  const Events later(text);
  ASSERT_FALSE(later.ids.empty());
  EXPECT_EQ(later.ids.front(), "3");
  EXPECT_EQ(later.ids.size() + 2, events.ids.size());
  EXPECT_EQ(later.all.back().first, "end");
}

TEST_F(ApiTest, FollowersEndWhenTheClientLeaves) {
  const std::string id = start(kSlow);
  std::stop_source left;
  Request request;
  request.path = "/api/v1/jobs/" + id + "/events";
  request.stop = left.get_token();
  const Response response = api_->answer(request);
  ASSERT_TRUE(response.stream);
  EXPECT_TRUE(response.stream([](std::string_view) { return true; }));
  left.request_stop();
  EXPECT_FALSE(response.stream([](std::string_view) { return true; }));
}

TEST_F(ApiTest, ADisconnectedFollowerFreesItsSlot) {
  const std::string id = start(kSlow);
  std::vector<Response> followers;
  for (int i = 0; i < 64; ++i) {
    followers.push_back(ask("GET", "/jobs/" + id + "/events"));
    ASSERT_EQ(followers.back().status, 200) << i;
  }
  EXPECT_EQ(status("GET", "/jobs/" + id + "/events"), 503);
  followers.pop_back();
  const Response welcome = ask("GET", "/jobs/" + id + "/events");
  EXPECT_EQ(welcome.status, 200);
  EXPECT_FALSE(welcome.stream([](std::string_view) { return false; })) << "the client is gone";
}

TEST_F(ApiTest, IgnoresAnInvalidLastEventId) {
  const std::string id = start(kQuick);
  ASSERT_TRUE(becomes(id, "done"));
  for (const char* seen : {"", "x", "-1", "99999999999999999999", "1.5"}) {
    Request request;
    request.path = "/api/v1/jobs/" + id + "/events";
    request.headers = {{"last-event-id", seen}};
    const Response response = api_->answer(request);
    std::string text;
    EXPECT_FALSE(response.stream([&](std::string_view more) {
      text += more;
      return true;
    })) << seen;
    EXPECT_EQ(Events(text).all.size(), 2u) << text;
  }
}

}  // namespace
}  // namespace ergon::service
