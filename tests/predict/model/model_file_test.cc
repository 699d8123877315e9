#include "predict/model/model_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/random.h"
#include "device/twin/catalog.h"
#include "predict/learn/features.h"
#include "predict/model/builtin_models.h"
#include "predict/predictor.h"
#include "support/temporary_folder.h"

namespace ergon::predict {
namespace {

using namespace literals;
using Json = nlohmann::ordered_json;
using device::Precision;
using graph::Mode;

Forest small_forest(float answer) {
  Forest forest;
  EXPECT_TRUE(forest.add(std::vector<Forest::Node>{{0.1F, 3, 1}, {.value = answer}, {.value = 1.0F / 3}}));
  EXPECT_TRUE(forest.add(std::vector<Forest::Node>{{.value = -1e-7F}}));
  return forest;
}

// Every field is set, each to a different value.
Model some_model() {
  Model model;
  model.device = "a30";
  model.source = PredictionSource::learned;
  model.learner = "somebody \"quoted\"";
  model.time = small_forest(0.25F);
  model.power = small_forest(-0.125F);
  model.launch_overhead.set_default(Mode::inference, Seconds{1.0 / 3 * 1e-5});
  model.launch_overhead.set_default(Mode::training, 110_us);
  model.launch_overhead.set("conv", Mode::inference, 21_us);
  model.launch_overhead.set("conv", Mode::training, 121_us);
  model.launch_overhead.set("batch_norm", Mode::inference, 0_us);
  model.shrinkage = {{Mode::inference, {0.8, 0.3}}, {Mode::training, {0.6, 1}}};
  model.corrections.by_config[{Mode::inference, Precision::tf32}] = {0.01, -0.02, 1.0 / 3, 0.11, -0.13, 0.17};
  model.corrections.by_config[{Mode::inference, Precision::tf32, LaunchHost::native}] = {0.02, -0.5, 0.25};
  model.corrections.by_config[{Mode::training, Precision::bf16}] = {0.04, -0.05, 0.06};
  model.corrections.idle_power = 0.4;
  model.corrections.max_power = 171.5_W;
  model.widths[LaunchHost::python] = {{0.11, 0.12, 0.13}, {0.21, 0.22, 0.23}};
  model.widths[LaunchHost::native] = {{0.31, 0.32, 0.33}, {0.41, 0.42, 0.43}};
  model.measured_widths[LaunchHost::python] = {{0.01, 0.02, 0.03}, {0.04, 0.05, 0.06}};
  model.launch_overhead.set_idle(Mode::training, 1.0_W / 3);
  model.operations = MeasuredOperations({{{Mode::inference, Precision::tf32}, {7, 0xffffffffffffffff}},
                                         {{Mode::training, Precision::bf16}, {0x123456789abcdef0}}});
  model.range[{"conv", Mode::inference}] = {1000, 1e12, 17};
  model.range[{"add", Mode::training}] = {1.5, 2.5, 1};
  model.scores = {{"networks, inference, time", 12, 0.071, 0.97, 0.91}, {"operations", 3, 0.5, 0.25, 0}};
  model.training_sources = {{"table.csv", "A30, PyTorch", 625, 61}, {"data/measured/é", "", 0, 1}};
  return model;
}

Model calibrated_model() {
  Model model = some_model();
  model.source = PredictionSource::calibrated;
  model.time = model.power = {};
  return model;
}

void expect_same(const IntervalWidths& a, const IntervalWidths& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.power, b.power);
  EXPECT_EQ(a.energy, b.energy);
}

void expect_same(const std::map<LaunchHost, WidthPair>& a, const std::map<LaunchHost, WidthPair>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [host, pair] : a) {
    ASSERT_TRUE(b.contains(host));
    expect_same(pair.gpu_bound, b.at(host).gpu_bound);
    expect_same(pair.host_bound, b.at(host).host_bound);
  }
}

void expect_same_scores(const std::vector<Score>& a, const std::vector<Score>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].what, b[i].what);
    EXPECT_EQ(a[i].rows, b[i].rows);
    EXPECT_EQ(a[i].mape, b[i].mape);
    EXPECT_EQ(a[i].r_squared, b[i].r_squared);
    EXPECT_EQ(a[i].coverage, b[i].coverage);
  }
}

void expect_same_sources(const std::vector<TrainingSource>& a, const std::vector<TrainingSource>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].detail, b[i].detail);
    EXPECT_EQ(a[i].operations, b[i].operations);
    EXPECT_EQ(a[i].networks, b[i].networks);
  }
}

void expect_same_range(const TrainingRange& a, const TrainingRange& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [key, traffic] : a) {
    ASSERT_TRUE(b.contains(key));
    EXPECT_EQ(b.at(key).min, traffic.min);
    EXPECT_EQ(b.at(key).max, traffic.max);
    EXPECT_EQ(b.at(key).rows, traffic.rows);
  }
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.power, b.power);
  EXPECT_EQ(a.launch_overhead.times(), b.launch_overhead.times());
  EXPECT_EQ(a.launch_overhead.defaults(), b.launch_overhead.defaults());
  EXPECT_EQ(a.shrinkage, b.shrinkage);
  EXPECT_EQ(a.corrections.by_config, b.corrections.by_config);
  EXPECT_EQ(a.corrections.idle_power, b.corrections.idle_power);
  EXPECT_EQ(a.corrections.max_power, b.corrections.max_power);
  EXPECT_EQ(a.launch_overhead.idle(), b.launch_overhead.idle());
  EXPECT_EQ(a.operations.ids(), b.operations.ids());
  expect_same(a.widths, b.widths);
  expect_same(a.measured_widths, b.measured_widths);
  expect_same_range(a.range, b.range);
  expect_same_scores(a.scores, b.scores);
  expect_same_sources(a.training_sources, b.training_sources);
}

Model read_back(const Model& model) {
  const auto again = read_model(write_model(model), "again");
  EXPECT_TRUE(again) << again.error().message;
  return again.value_or({});
}

TEST(ModelFile, RoundTripKeepsEveryField) {
  expect_same(read_back(some_model()), some_model());
  expect_same(read_back(calibrated_model()), calibrated_model());
}

TEST(ModelFile, RoundTripOfAnEmptyCalibratedModel) {
  Model bare;
  bare.device = "h200";
  bare.source = PredictionSource::calibrated;
  expect_same(read_back(bare), bare);
}

TEST(ModelFile, WritingIsDeterministic) {
  EXPECT_EQ(write_model(some_model()), write_model(some_model()));
  EXPECT_EQ(write_model(read_back(some_model())), write_model(some_model()));
}

TEST(ModelFile, WritesOneTreePerLine) {
  const std::string text = write_model(some_model());
  for (const std::string& line : some_model().time.to_lines())
    EXPECT_NE(text.find('"' + line + '"'), std::string::npos);
  EXPECT_TRUE(text.ends_with('\n'));
}

TEST(ModelFile, WritesNamesThatAreNotUnicode) {
  Model model = some_model();
  model.training_sources[0].name = "caf\xe9.csv";
  std::string text;
  ASSERT_NO_THROW(text = write_model(model));
  EXPECT_TRUE(read_model(text, "odd"));
}

TEST(ModelFile, RejectsTruncatedFiles) {
  const std::string text = write_model(some_model());
  // All but the end of the last line.
  const std::size_t whole = text.find_last_of('}');
  for (std::size_t length = 0; length <= whole; ++length) {
    const auto model = read_model(std::string_view(text).substr(0, length), "cut.json");
    ASSERT_FALSE(model) << length;
    ASSERT_EQ(model.error().kind, Errc::invalid_input) << length;
    ASSERT_TRUE(model.error().message.starts_with("cut.json:")) << model.error().message;
  }
}

TEST(ModelFile, ReadsOrRejectsDamagedFiles) {
  const std::string text = write_model(some_model());
  Random random(21);
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left)
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    const auto model = read_model(damaged, "damaged.json");
    if (!model) {
      ASSERT_FALSE(model.error().message.empty());
      continue;
    }
    // A model that was read can predict.
    ASSERT_LE(model->time.features(), feature_count());
    ASSERT_LE(model->power.features(), feature_count());
  }
}

Json document() { return Json::parse(write_model(some_model())); }

std::string read_error(const Json& json) {
  const auto model = read_model(json.dump(), "file.json");
  EXPECT_FALSE(model);
  if (model) return "";
  EXPECT_EQ(model.error().kind, Errc::invalid_input);
  return model.error().message;
}

bool says(const std::string& message, std::string_view what) {
  return message.find(what) != std::string::npos;
}

TEST(ModelFile, NamesBothVersionsIfTheyDiffer) {
  Json json = document();
  json["schema"] = "ergon.model/1";
  const std::string message = read_error(json);
  EXPECT_TRUE(says(message, "file.json")) << message;
  EXPECT_TRUE(says(message, "ergon.model/1")) << message;
  EXPECT_TRUE(says(message, "ergon.model/6")) << message;
}

TEST(ModelFile, RejectsInvalidOperationIds) {
  for (const char* ids :
       {"12", "0123456789abcdef0", "0123456789abcdeg", "0x23456789abcdef", " 123456789abcdef"}) {
    Json json = document();
    json["operations"][0]["ids"] = ids;
    EXPECT_TRUE(says(read_error(json), "operation")) << ids;
  }
}

TEST(ModelFile, RejectsInvalidCounts) {
  for (const Json& count :
       {Json(1e300), Json(-1e300), Json(1.5), Json(-1), Json(UINT64_MAX), Json("3"), Json(nullptr)}) {
    Json json = document();
    json["scores"][0]["rows"] = count;
    EXPECT_TRUE(says(read_error(json), "a count is not an integer")) << count;
  }
}

TEST(Model, InterpolatesIntervalsByMeasuredShare) {
  const Model model = some_model();
  expect_same(model.widths_of(LaunchHost::python, false, 0), {0.11, 0.12, 0.13});
  expect_same(model.widths_of(LaunchHost::python, true, 1), {0.04, 0.05, 0.06});
  expect_same(model.widths_of(LaunchHost::python, false, 0.5), {0.11, 0.12, 0.13});
  EXPECT_NEAR(model.widths_of(LaunchHost::python, false, 0.75).time, (0.11 + 0.01) / 2, 1e-12);
  Model calibrated = model;
  calibrated.measured_widths.clear();
  expect_same(calibrated.widths_of(LaunchHost::python, false, 1), {0.11, 0.12, 0.13});
}

TEST(ModelFile, RejectsOtherDocuments) {
  for (const char* text : {"{}", "[]", "1", "null", "\"ergon.model/6\"", R"({"schema": 1})",
                           R"({"schema": "ergon.estimate/1"})", "", " ", "ergon.model/6", "\xff\xfe"}) {
    const auto model = read_model(text, "file.json");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().kind, Errc::invalid_input);
    EXPECT_TRUE(says(model.error().message, "file.json")) << model.error().message;
  }
}

TEST(ModelFile, RejectsOtherFeatures) {
  Json renamed = document(), fewer = document(), more = document(), swapped = document();
  renamed["features"][4] = "color";
  fewer["features"].erase(fewer["features"].size() - 1);
  more["features"].push_back("color");
  std::swap(swapped["features"][0], swapped["features"][1]);
  for (const Json& json : {renamed, fewer, more, swapped}) {
    const std::string message = read_error(json);
    EXPECT_TRUE(says(message, "features")) << message;
    EXPECT_TRUE(says(message, "ergon fit")) << message;
  }
}

TEST(ModelFile, RequiresTreesExactlyInLearnedModels) {
  Json calibrated = document();
  calibrated["regime"] = "calibrated";
  EXPECT_TRUE(says(read_error(calibrated), "trees"));
  Json learned = Json::parse(write_model(calibrated_model()));
  learned["regime"] = "learned";
  EXPECT_TRUE(says(read_error(learned), "trees"));
  Json one_sided = document();
  one_sided["power_trees"] = Json::array();
  EXPECT_TRUE(says(read_error(one_sided), "trees"));
}

TEST(ModelFile, RejectsTreesWithUnknownFeatures) {
  Json json = document();
  json["time_trees"][0] = std::to_string(feature_count()) + "<1:1 =0 =0";
  EXPECT_TRUE(says(read_error(json), "trees"));
  json["time_trees"][0] = std::to_string(feature_count() - 1) + "<1:1 =0 =0";
  EXPECT_TRUE(read_model(json.dump(), "file.json"));
}

TEST(ModelFile, RejectsInvalidTrees) {
  for (const char* tree : {"0<1:0 =0 =0", "0<1:9 =0 =0", "", "oak"}) {
    Json json = document();
    json["power_trees"][1] = tree;
    EXPECT_TRUE(says(read_error(json), "tree")) << tree;
  }
}

TEST(ModelFile, RejectsOtherSources) {
  for (const char* source : {"twin", "", "Learned"}) {
    Json json = document();
    json["regime"] = source;
    EXPECT_TRUE(says(read_error(json), "prediction source")) << source;
  }
}

TEST(ModelFile, EveryFieldIsNeeded) {
  const Json whole = document();
  for (const auto& [name, value] : whole.items()) {
    if (name == "ergon") continue;
    Json json = whole;
    json.erase(name);
    EXPECT_FALSE(read_error(json).empty()) << name;
  }
}

TEST(ModelFile, RejectsFieldsOfAnotherType) {
  const Json whole = document();
  for (const auto& [name, value] : whole.items()) {
    if (name == "ergon") continue;
    for (const Json& other : {Json(17.5), Json(true), Json("text")}) {
      if (other.type() == value.type()) continue;
      Json json = whole;
      json[name] = other;
      EXPECT_FALSE(read_error(json).empty()) << name << " " << other;
    }
  }
}

// Negative interval widths or launch times mean a damaged file.
TEST(ModelFile, RejectsNegativeNumbers) {
  Json width = document(), host = document(), kind = document(), max_power = document();
  width["widths"]["python"]["busy"]["time"] = -0.1;
  host["hosts"]["usual_seconds"]["inference"] = -1;
  kind["hosts"]["kinds"][0]["seconds"] = -1;
  max_power["corrections"]["ceiling_watts"] = -1;
  for (const Json& json : {width, host, kind, max_power}) EXPECT_FALSE(read_model(json.dump(), "file.json"));
}

TEST(ModelFile, ErrorsNameThePath) {
  const ergon::test::TemporaryFolder folder;
  const std::string path = (folder / "model.json").string();
  const auto missing = read_model_file(path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, Errc::not_found);
  EXPECT_TRUE(says(missing.error().message, path));
  ASSERT_TRUE(write_file(path, write_model(some_model())));
  expect_same(read_model_file(path).value(), some_model());
  ASSERT_TRUE(write_file(path, "{"));
  const auto damaged = read_model_file(path);
  ASSERT_FALSE(damaged);
  EXPECT_TRUE(says(damaged.error().message, path));
}

// After a change of features the bundled models must be fitted again.
TEST(ModelFile, BundledModelsMatchTheirDevices) {
  for (const std::string& name : builtin_models()) {
    const auto model = read_model(builtin_model(name), name);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->device, name);
    EXPECT_EQ(model->source, PredictionSource::learned);
    EXPECT_FALSE(model->training_sources.empty());
    EXPECT_FALSE(model->scores.empty());
    EXPECT_TRUE(Predictor::with(device::find_device(name).value(), *model));
  }
  EXPECT_TRUE(builtin_model("no such device").empty());
}

TEST(LaunchOverhead, UsesTheDefaultForOtherTypes) {
  const Model model = some_model();
  EXPECT_EQ(model.launch_overhead.of("conv", Mode::inference), 21_us);
  EXPECT_EQ(model.launch_overhead.of("conv", Mode::training), 121_us);
  EXPECT_EQ(model.launch_overhead.of("add", Mode::training), 110_us);
  EXPECT_EQ(LaunchOverhead{}.of("add", Mode::training), 0_s);
}

TEST(ModelFile, ADeepFileIsRefused) {
  const auto model =
      read_model("{\"schema\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}", "deep.json");
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("nested deeper than 128 levels"), std::string::npos)
      << model.error().message;
}

}  // namespace
}  // namespace ergon::predict
