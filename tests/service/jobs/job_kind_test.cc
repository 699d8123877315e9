#include "service/jobs/job_kind.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::service {
namespace {

using Words = std::vector<std::string>;

std::vector<JobStep> steps_for(std::string_view command, const Fields& options) {
  const JobKind* kind = find_job_kind(command);
  EXPECT_NE(kind, nullptr);
  if (kind == nullptr) return {};
  auto steps = job_steps(*kind, options, "/f");
  EXPECT_TRUE(steps) << steps.error().message;
  return steps ? *steps : std::vector<JobStep>{};
}

// A value for every required option.
Fields least_options(const JobKind& kind) {
  Fields options;
  for (const Parameter& parameter : kind.parameters) {
    if (parameter.required)
      options.emplace_back(parameter.name, parameter.kind == Parameter::Kind::number ? "3" : "x");
  }
  return options;
}

TEST(JobKinds, AreFoundByCommand) {
  for (const char* command : {"sweep", "cap", "fleet", "profile", "reproduce"}) {
    ASSERT_NE(find_job_kind(command), nullptr) << command;
    EXPECT_EQ(find_job_kind(command)->command, command);
  }
  for (const char* command : {"", "measure", "serve", "swee", "sweep ", "Sweep"})
    EXPECT_EQ(find_job_kind(command), nullptr) << command;
}

TEST(JobKinds, TheLastStepPrintsADocument) {
  for (const JobKind& kind : job_kinds()) {
    const auto steps = job_steps(kind, least_options(kind), "/f");
    ASSERT_TRUE(steps) << kind.command << " " << steps.error().message;
    ASSERT_FALSE(steps->empty());
    for (const JobStep& step : *steps) EXPECT_EQ(step.words.at(0), kind.command);
    EXPECT_EQ(steps->back().words.back(), "--json") << kind.command;
    EXPECT_FALSE(steps->front().run_after_stop) << "a wish to stop would never be heard";
    EXPECT_FALSE(job_title(kind, least_options(kind)).empty());
    const auto without = job_steps(kind, {}, "/f");
    ASSERT_FALSE(without) << kind.command;
    EXPECT_NE(without.error().message.find("is missing"), std::string::npos);
    Fields more = least_options(kind);
    more.emplace_back("out", "x");
    EXPECT_FALSE(job_steps(kind, more, "/f")) << kind.command;
  }
}

TEST(JobKinds, ASweepIsResumableAndAlwaysEvaluated) {
  const auto steps = steps_for("sweep", {{"device", "v100s"}, {"networks", "a,b"}, {"repeat", "2"}});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].words, (Words{"sweep", "--device=v100s", "--networks=a,b", "--repeat=2", "--out",
                                   "/f/sweep", "--resume", "--json"}));
  EXPECT_EQ(steps[1].words, (Words{"sweep", "evaluate", "/f/sweep", "--points", "--json"}));
  EXPECT_TRUE(steps[1].run_after_stop);
  EXPECT_TRUE(find_job_kind("sweep")->resumable);
}

TEST(JobKinds, TheCapIsPassedInAFile) {
  const auto steps =
      steps_for("cap", {{"device", "v100"}, {"network", "resnet50"}, {"watts", "250"}, {"no-clock", "true"}});
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].words, (Words{"cap", "--device=v100", "--no-clock", "resnet50", "--cap-file", "/f/cap",
                                   "--log", "/f/decisions.csv", "--json"}));
  EXPECT_TRUE(find_job_kind("cap")->capped);
  EXPECT_FALSE(find_job_kind("cap")->resumable);
}

TEST(JobKinds, AFleetIsGeneratedAndAnalyzed) {
  const auto steps = steps_for(
      "fleet", {{"carbon", "300"}, {"hosts", "4"}, {"hours", "0.5"}, {"price-kwh", "0.3"}, {"seed", "7"}});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].words, (Words{"fleet", "generate", "--hosts=4", "--hours=0.5", "--seed=7", "--out",
                                   "/f/fleet", "--json"}));
  const Words& analyze = steps[1].words;
  EXPECT_EQ(Words(analyze.begin(), analyze.begin() + 4),
            (Words{"fleet", "analyze", "--carbon=300", "--price-kwh=0.3"}));
  for (const char* file :
       {"/f/fleet/gpu.csv", "/f/fleet/application-checkpoints.csv", "/f/fleet/task-x-y.csv"})
    EXPECT_NE(std::find(analyze.begin(), analyze.end(), file), analyze.end()) << file;
  EXPECT_FALSE(steps[1].run_after_stop);
}

TEST(JobKinds, TitlesDescribeTheJob) {
  const auto title = [](std::string_view command, const Fields& options) {
    return job_title(*find_job_kind(command), options);
  };
  EXPECT_EQ(title("sweep", {{"device", "v100s"}, {"networks", "a,b"}}), "a,b on v100s");
  EXPECT_EQ(title("cap", {{"device", "a30"}, {"network", "vgg16"}}), "vgg16 on a30");
  EXPECT_EQ(title("fleet", {{"hosts", "16"}, {"hours", "2"}}), "16 hosts for 2 h");
  EXPECT_EQ(title("reproduce", {{"paper", "arada"}}), "arada");
}

TEST(JobOptions, AcceptStringsNumbersBooleansAndLists) {
  const auto fields =
      fields_of_json(R"({"a": "x", "b": 1, "c": 0.5, "d": true, "e": false, "f": ["x", 2, 2.5], "g": null,)"
                     R"( "h": 1e300, "i": -3, "j": 18446744073709551615})");
  ASSERT_TRUE(fields) << fields.error().message;
  EXPECT_EQ(*fields, (Fields{{"a", "x"},
                             {"b", "1"},
                             {"c", "0.5"},
                             {"d", "true"},
                             {"e", "false"},
                             {"f", "x,2,2.5"},
                             {"h", "1e+300"},
                             {"i", "-3"},
                             {"j", "18446744073709551615"}}));
  EXPECT_EQ(*fields_of_json("{}"), Fields{});
  EXPECT_EQ(*fields_of_json(R"({"a": []})"), (Fields{{"a", ""}}));
}

TEST(JobOptions, RejectOtherTypes) {
  for (const char* text : {"", "null", "7", "\"x\"", "[]", "{", R"({"a": {}})", R"({"a": {"b": 1}})",
                           R"({"a": [[1]]})", R"({"a": [null]})", R"({"a": [{}]})"}) {
    const auto fields = fields_of_json(text);
    ASSERT_FALSE(fields) << text;
    EXPECT_EQ(fields.error().kind, Errc::invalid_input);
  }
}

// List entries are checked like single values.
TEST(JobOptions, RejectFileNamesInLists) {
  const JobKind& sweep = *find_job_kind("sweep");
  for (const char* networks :
       {R"(["a", "b.onnx"])", R"(["a,b.onnx"])", R"(["../x"])", R"(["-a"])", R"(["a", "/etc/x"])", "[]"}) {
    const auto fields = fields_of_json(std::string(R"({"device": "a30", "networks": )") + networks + "}");
    ASSERT_TRUE(fields) << networks;
    EXPECT_FALSE(job_steps(sweep, *fields, "/f")) << networks;
  }
}

TEST(JobKinds, KnowSimulationFromTheOptions) {
  const auto sure = [](const char* command, const Fields& options) {
    return known_simulated(*find_job_kind(command), options);
  };
  EXPECT_TRUE(sure("cap", {{"device", "v100"}}));
  EXPECT_TRUE(sure("fleet", {}));
  EXPECT_FALSE(sure("cap", {{"device", "gpu0"}}));
  EXPECT_FALSE(sure("profile", {{"device", "cpu"}}));
  EXPECT_FALSE(sure("reproduce", {{"paper", "arada"}}));
}

}  // namespace
}  // namespace ergon::service
