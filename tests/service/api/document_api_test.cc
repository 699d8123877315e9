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
          {{"network", Parameter::Kind::word, "", true}},
          lasting};
}

Request about_network(const std::string& network) {
  Request request;
  request.path = "/api/v1/inspect";
  request.query = {{"network", network}};
  return request;
}

// Counts how often it was run, and answers with what it was asked.
struct CountingRun {
  std::atomic<int> runs = 0;
  RunCommand command() {
    return [this](const Words& words, const std::stop_token&) -> Result<std::string> {
      ++runs;
      return words.at(1) + " " + std::to_string(runs) + "\n";
    };
  }
};

TEST(DocumentApi, RunsTheCommandWithoutWordsToAPerson) {
  Words seen;
  DocumentApi api([&](const Words& words, const std::stop_token&) -> Result<std::string> {
    seen = words;
    return std::string("{}\n");
  });
  const Response response = api.answer(some_endpoint(), about_network("vgg16"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.type, "application/json");
  EXPECT_EQ(response.body, "{}\n");
  EXPECT_EQ(seen, (Words{"inspect", "vgg16", "--json", "--quiet"}));
}

TEST(DocumentApi, KeepsAnswersThatLast) {
  CountingRun run;
  DocumentApi api(run.command());
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).body, "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("b")).body, "b 2\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).body, "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
  EXPECT_EQ(run.runs, 2);
}

TEST(DocumentApi, AsksAgainForThoseThatDoNot) {
  CountingRun run;
  DocumentApi api(run.command());
  EXPECT_EQ(api.answer(some_endpoint(false), about_network("a")).body, "a 1\n");
  EXPECT_EQ(api.answer(some_endpoint(false), about_network("a")).body, "a 2\n");
}

TEST(DocumentApi, FailuresAreNotKept) {
  int runs = 0;
  DocumentApi api([&](const Words&, const std::stop_token&) -> Result<std::string> {
    if (++runs == 1) return fail(Errc::io, "the disk is gone");
    return std::string("{}\n");
  });
  const Response failed = api.answer(some_endpoint(), about_network("a"));
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(nlohmann::json::parse(failed.body)["error"]["message"], "the disk is gone");
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).status, 200);
}

TEST(DocumentApi, WhatIsNotUnderstoodIsNotRun) {
  CountingRun run;
  DocumentApi api(run.command());
  for (const char* network : {"", "--help", "../x", "a.onnx"})
    EXPECT_EQ(api.answer(some_endpoint(), about_network(network)).status, 400) << network;
  Request nothing;
  EXPECT_EQ(api.answer(some_endpoint(), nothing).status, 400);
  EXPECT_EQ(run.runs, 0);
}

TEST(DocumentApi, KindsOfFailureHaveTheirStatus) {
  const auto status_of = [](Errc kind) {
    DocumentApi api(
        [kind](const Words&, const std::stop_token&) -> Result<std::string> { return fail(kind, "x"); });
    return api.answer(some_endpoint(), about_network("a")).status;
  };
  EXPECT_EQ(status_of(Errc::invalid_input), 400);
  EXPECT_EQ(status_of(Errc::not_found), 404);
  EXPECT_EQ(status_of(Errc::unsupported), 501);
}

// As many run at once as there are processors, the others come after them, and all are answered.
TEST(DocumentApi, RunsNoMoreThanProcessorsAtOnce) {
  std::atomic<int> now = 0, most = 0;
  DocumentApi api([&](const Words& words, const std::stop_token&) -> Result<std::string> {
    const int here = ++now;
    for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --now;
    return words.at(1);
  });
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 12; ++i) {
      clients.emplace_back([&, i] {
        const Response response = api.answer(some_endpoint(), about_network("n" + std::to_string(i)));
        if (response.status == 200 && response.body == "n" + std::to_string(i)) ++answered;
      });
    }
  }
  EXPECT_EQ(answered, 12);
  EXPECT_LE(most, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

// A processor that was taken is given back, whatever happens on it.
TEST(DocumentApi, AThrowingCommandLeavesThePlaceFree) {
  int runs = 0;
  DocumentApi api([&](const Words&, const std::stop_token&) -> Result<std::string> {
    if (++runs <= 70) throw std::runtime_error("broken");
    return std::string("fine");
  });
  for (int i = 0; i < 70; ++i) {
    EXPECT_THROW(api.answer(some_endpoint(), about_network("a")), std::runtime_error);
  }
  EXPECT_EQ(api.answer(some_endpoint(), about_network("a")).body, "fine");
}

// The command may hold on to its token, but nobody asks it to stop while there is time.
TEST(DocumentApi, NobodyIsAskedToStopInTime) {
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
