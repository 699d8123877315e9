// --html: what a command says, drawn on a page that is one file.

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

class Drawing : public testing::Test {
 protected:
  void SetUp() override {
    if (run("zoo --html probe.html").err.find("built without web pages") != std::string::npos)
      GTEST_SKIP() << "built without web pages";
    std::filesystem::remove(folder_ / "probe.html");
  }
  test::ProcessResult run(const std::string& words) const {
    return test::run_shell(fmt::format("{}/ergon {}", ERGON_PROGRAMS, words), folder_.path().string());
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name).value_or(""); }
  // The documents inside of a page.
  nlohmann::json held(const std::string& name) const {
    const std::string page = file(name), mark = "id=\"ergon-documents\">";
    const auto from = page.find(mark);
    if (from == std::string::npos) return nullptr;
    const auto begin = from + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  // No leftovers of a page that was not finished.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  test::TemporaryFolder folder_;
};

TEST_F(Drawing, EveryCommandThatHasSomethingToShow) {
  ASSERT_EQ(run("sweep --device v100 --networks alexnet --clocks 5 --repeat 2 --out sweep --quiet").exit_code,
            0);
  ASSERT_EQ(run("fleet generate --hosts 2 --hours 0.1 --out fleet --quiet").exit_code, 0);
  const std::vector<std::pair<std::string, std::string>> all = {
      {"zoo", "ergon.zoo/1"},
      {"inspect resnet50", "ergon.inspect/1"},
      {"predict resnet50 --device a30", "ergon.predict/2"},
      {"tune resnet50 --device a30", "ergon.tune/2"},
      {"sweep evaluate sweep", "ergon.sweep.evaluate/2"},
      {"allocate resnet50", "ergon.allocate/2"},
      {"cap resnet18 --device v100 --cap 200W --duration 5s", "ergon.cap/2"},
      {"fleet analyze --checkpoints fleet/application-checkpoints.csv --gpu fleet/gpu.csv --tasks "
       "fleet/task-x-y.csv",
       "ergon.fleet/3"}};
  for (const auto& [words, schema] : all) {
    const auto ran = run(words + " --html page.html");
    EXPECT_EQ(ran.exit_code, 0) << words << "\n" << ran.err;
    EXPECT_EQ(ran.out, "wrote page.html\n") << words;
    const auto documents = held("page.html");
    ASSERT_TRUE(documents.is_array()) << words;
    ASSERT_EQ(documents.size(), 1u) << words;
    EXPECT_EQ(documents[0]["schema"], schema) << words;
    EXPECT_LT(file("page.html").size(), 2'000'000u) << words;
    EXPECT_NE(file("page.html").find("Content-Security-Policy"), std::string::npos) << words;
    std::filesystem::remove(folder_ / "page.html");
  }
}

TEST_F(Drawing, ThePageHoldsWhatJsonPrints) {
  const auto ran = run("inspect resnet50 --json --html page.html");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(ran.out, nullptr, false), held("page.html").at(0)) << "printed as well";
}

TEST_F(Drawing, TheOptionMayStandAnywhere) {
  for (const char* words :
       {"zoo --html page.html", "zoo --html=page.html", "--html=page.html zoo", "--html page.html zoo"}) {
    const auto ran = run(words);
    EXPECT_EQ(ran.exit_code, 0) << words << "\n" << ran.err;
    EXPECT_TRUE(exists("page.html")) << words;
    std::filesystem::remove(folder_ / "page.html");
  }
}

TEST_F(Drawing, AFileThatCannotBeWrittenIsAnErrorBeforeTheWork) {
  for (const char* page : {"missing/page.html", "/proc/page.html", "."}) {
    const auto ran = run(fmt::format("fleet generate --hosts 2 --hours 0.1 --out fleet --html {}", page));
    EXPECT_EQ(ran.exit_code, 1) << page;
    EXPECT_NE(ran.err.find(page), std::string::npos) << ran.err;
    EXPECT_FALSE(exists("fleet")) << "the page is opened before anything is computed";
  }
}

TEST_F(Drawing, AFailureLeavesTheOldPageAndNoOther) {
  ASSERT_TRUE(write_file(folder_ / "page.html", "old"));
  const auto before = files();
  EXPECT_EQ(run("inspect resnet51 --html page.html").exit_code, 2);
  EXPECT_EQ(file("page.html"), "old");
  EXPECT_EQ(files(), before);
}

TEST_F(Drawing, AnErrorOfUsageWritesNothing) {
  EXPECT_EQ(run("inspect --html page.html").exit_code, 2);
  EXPECT_EQ(run("zoo --html").exit_code, 2);
  EXPECT_EQ(run("zoo stray --html page.html").exit_code, 2);
  EXPECT_FALSE(exists("page.html"));
}

// A version is no picture; saying nothing would leave a person looking for the file.
TEST_F(Drawing, WhatCannotBeDrawnIsAnError) {
  const auto version = run("--version --html=page.html");
  EXPECT_TRUE(version.exit_code != 0 || exists("page.html")) << version.out;
}

TEST_F(Drawing, ReportsHoldSeveralDocuments) {
  ASSERT_EQ(run("zoo --json > zoo.json").exit_code, 0);
  ASSERT_EQ(run("inspect alexnet --json > net.json").exit_code, 0);
  const auto ran = run("report net.json zoo.json --out page.html");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "wrote page.html\n");
  const auto documents = held("page.html");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0], nlohmann::json::parse(file("net.json")));
  EXPECT_EQ(documents[1], nlohmann::json::parse(file("zoo.json")));
  const auto told = nlohmann::json::parse(run("report zoo.json --out page.html --json").out, nullptr, false);
  EXPECT_EQ(told["schema"], "ergon.report/1");
  EXPECT_EQ(told["documents"], 1);
  EXPECT_EQ(told["bytes"], file("page.html").size());
  ASSERT_TRUE(write_file(folder_ / "text.json", "hello"));
  for (const char* wrong : {"report text.json --out x.html", "report missing.json --out x.html",
                            "report zoo.json --out missing/x.html"})
    EXPECT_EQ(run(wrong).exit_code, 1) << wrong;
  EXPECT_EQ(run("report zoo.json").exit_code, 2);
  EXPECT_EQ(run("report --out x.html").exit_code, 2);
  EXPECT_FALSE(exists("x.html"));
}

}  // namespace
}  // namespace ergon::app
