#include "service/api/document_api.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::service {
namespace {

using Words = std::vector<std::string>;

Endpoint some_endpoint(bool lasting = true) {
  return {"/inspect",
          {"inspect"},
          "ergon.inspect/1",
          "what it is",
          {{"network", Parameter::Kind::argument, "", true}},
          lasting};
}

Request about_network(const std::string& network) {
  Request request;
  request.path = "/api/v1/inspect";
  request.query = {{"network", network}};
  return request;
}

// Counts its runs and returns its command line.
struct CountingRun {
  std::atomic<int> runs = 0;
  RunCommand command() {
    return [this](const Words& words, const std::stop_token&) -> Result<std::string> {
      ++runs;
      return words.at(1) + " " + std::to_string(runs) + "\n";
    };
  }
};

TEST(DocumentApi, RunsTheCommandWithJsonAndQuiet) {
  Words seen;
  DocumentApi api([&](const Words& words, const std::stop_token&) -> Result<std::string> {
    seen = words;
    return std::string("{}\n");
  });
  const Response response = api.answer(some_endpoint(), about_network("vgg16"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.type, "application/json");
  EXPECT_EQ(response.content(), "{}\n");
  EXPECT_EQ(seen, (Words{"inspect", "vgg16", "--json", "--quiet"}));
}

TEST(DocumentApi, CachesCacheableDocuments) {
  CountingRun run;
  DocumentApi api(run.command());
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).content(), "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("b")).content(), "b 2\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).content(), "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
  EXPECT_EQ(run.runs, 2);
}

TEST(DocumentApi, RecomputesOtherDocuments) {
  CountingRun run;
  DocumentApi api(run.command());
  EXPECT_EQ(api.answer(some_endpoint(false), about_network("a")).content(), "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(false), about_network("a")).content(), "a 2\n");
}

TEST(DocumentApi, DoesNotCacheErrors) {
  int runs = 0;
  DocumentApi api([&](const Words&, const std::stop_token&) -> Result<std::string> {
    if (++runs == 1) return fail(Errc::io, "the disk is gone");
    return std::string("{}\n");
  });
  const Response failed = api.answer(some_endpoint(), about_network("a"));
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(nlohmann::json::parse(failed.content())["error"]["message"], "the disk is gone");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
}

TEST(DocumentApi, DoesNotRunInvalidRequests) {
  CountingRun run;
  DocumentApi api(run.command());
  for (const char* network : {"", "--help", "../x", "a.onnx"})
    EXPECT_EQ(api.answer(some_endpoint(), about_network(network)).status, 400) << network;
  Request nothing;
  EXPECT_EQ(api.answer(some_endpoint(), nothing).status, 400);
  EXPECT_EQ(run.runs, 0);
}

TEST(DocumentApi, MapsErrorKindsToStatus) {
  const auto status_of = [](Errc kind) {
    DocumentApi api(
        [kind](const Words&, const std::stop_token&) -> Result<std::string> { return fail(kind, "x"); });
    return api.answer(some_endpoint(), about_network("a")).status;
  };
  EXPECT_EQ(status_of(Errc::invalid_input), 400);
  EXPECT_EQ(status_of(Errc::not_found), 404);
  EXPECT_EQ(status_of(Errc::unsupported), 501);
}

TEST(DocumentApi, KnowsWhatIsCached) {
  CountingRun run;
  DocumentApi api(run.command());
  EXPECT_FALSE(api.cached(some_endpoint(), about_network("a")));
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
  EXPECT_EQ(api.cached(some_endpoint(), about_network("a"))->content(), "a 1\n");
  EXPECT_FALSE(api.cached(some_endpoint(), about_network("b")));
  EXPECT_FALSE(api.cached(some_endpoint(false), about_network("a")));
  EXPECT_FALSE(api.cached(some_endpoint(), about_network("--help")));
}

// The token may outlive the command; no stop is requested before the deadline.
TEST(DocumentApi, DoesNotRequestAStopBeforeTheDeadline) {
  std::optional<bool> asked;
  bool possible = false;
  DocumentApi api([&](const Words&, const std::stop_token& stop) -> Result<std::string> {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = stop.stop_requested();
    possible = stop.stop_possible();
    return std::string("{}");
  });
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
  EXPECT_EQ(asked, false);
  EXPECT_TRUE(possible);
}

}  // namespace
}  // namespace ergon::service
