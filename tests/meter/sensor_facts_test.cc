#include "meter/sensor_facts.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/twin/twin_device.h"
#include "device/twin_loads.h"
#include "meter/faulty_device.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

SensorFacts first_of(const char* product) { return sensor_catalog().of(product).front(); }

// Expected values per product.
struct Known {
  const char* product;
  double period_ms, window_ms, gain;
};

class KnownProduct : public testing::TestWithParam<Known> {};

TEST_P(KnownProduct, IsFoundByItsName) {
  const SensorFacts facts = first_of(GetParam().product);
  EXPECT_TRUE(facts.known);
  EXPECT_DOUBLE_EQ(facts.period.si(), GetParam().period_ms / 1000);
  EXPECT_DOUBLE_EQ(facts.window.si(), GetParam().window_ms / 1000);
  EXPECT_DOUBLE_EQ(facts.gain, GetParam().gain);
  EXPECT_FALSE(facts.source.empty());
  EXPECT_GT(facts.gain_spread, 0);
}

// Names as in nvidia-smi.
INSTANTIATE_TEST_SUITE_P(
    Products, KnownProduct,
    testing::Values(Known{"NVIDIA A100-SXM4-80GB", 100, 25, 0.954}, Known{"A100-PCIE-40GB", 100, 25, 0.954},
                    Known{"NVIDIA A100 80GB PCIe", 100, 25, 0.954},
                    Known{"NVIDIA A800-SXM4-80GB", 100, 25, 0.954}, Known{"NVIDIA A30", 100, 25, 0.954},
                    Known{"Tesla V100S-PCIE-32GB", 20, 10, 1}, Known{"Tesla V100-SXM2-16GB", 20, 10, 1},
                    Known{"Tesla P100-PCIE-16GB", 20, 10, 0.992}, Known{"Tesla P40", 20, 10, 0.999},
                    Known{"GeForce GTX 1080 Ti", 20, 10, 0.999},
                    Known{"NVIDIA GeForce RTX 2080 Ti", 100, 100, 0.966},
                    Known{"NVIDIA TITAN RTX", 100, 100, 1}, Known{"Quadro RTX 8000", 100, 20, 1},
                    Known{"NVIDIA GeForce RTX 3090", 100, 100, 0.948},
                    Known{"NVIDIA GeForce RTX 4090", 100, 110, 1.044},
                    Known{"NVIDIA RTX A6000", 100, 1000, 1}, Known{"NVIDIA A40", 100, 1000, 1},
                    Known{"NVIDIA H100 80GB HBM3", 20, 20, 1}, Known{"NVIDIA H200", 20, 20, 1},
                    Known{"NVIDIA GH200 480GB", 20, 20, 1}, Known{"nvidia a40", 100, 1000, 1}));

class UnknownProduct : public testing::TestWithParam<const char*> {};

TEST_P(UnknownProduct, GetsTheDefault) {
  const auto all = sensor_catalog().of(GetParam());
  ASSERT_FALSE(all.empty());
  for (const SensorFacts& facts : all) {
    EXPECT_FALSE(facts.known);
    EXPECT_EQ(facts.gain, 1);
    EXPECT_GE(facts.gain_spread, 0.05);
    EXPECT_GE(facts.offset_spread, 3_W);
  }
}

// Some contain a known product's name as part of a word.
INSTANTIATE_TEST_SUITE_P(Products, UnknownProduct,
                         testing::Values("NVIDIA A1000", "NVIDIA RTX A2000", "NVIDIA RTX A4000",
                                         "NVIDIA A100X", "NVIDIA RTX 6000 Ada Generation", "NVIDIA T400",
                                         "Tesla T4", "NVIDIA GeForce RTX 2080", "NVIDIA GeForce RTX 5090",
                                         "NVIDIA GeForce GTX 1080", "AMD Instinct MI300X", "", "---"));

TEST(SensorFacts, EveryTwinHasItsOwnEntry) {
  for (const std::string& name : device::device_names()) {
    device::Twin twin(device::device_called(name));
    device::TwinDevice gpu(twin, {});
    const auto facts = best_sensor(gpu);
    ASSERT_TRUE(facts) << name;
    EXPECT_TRUE(facts->known) << name;
    const auto& sensors = twin.specification().sensors;
    const auto model = std::find_if(sensors.begin(), sensors.end(), [&](const device::SensorModel& sensor) {
      return sensor.field == device::name_of(facts->field);
    });
    ASSERT_NE(model, sensors.end()) << name;
    EXPECT_EQ(model->period, facts->period) << name;
    EXPECT_EQ(model->window, facts->window) << name;
    EXPECT_DOUBLE_EQ(model->gain, facts->gain) << name;
    EXPECT_DOUBLE_EQ(model->offset.si(), facts->offset.si()) << name;
    EXPECT_LE(model->noise, facts->noise) << name;
  }
}

TEST(SensorFacts, SelectsTheBestAvailableSensor) {
  device::Twin twin(device::device_called("h200"));
  device::TwinDevice sound(twin, {});
  FaultyDevice gpu(sound);
  using device::PowerField;
  EXPECT_EQ(best_sensor(gpu)->field, PowerField::samples);
  gpu.changed_capabilities().power = {PowerField::usage, PowerField::average, PowerField::instant};
  EXPECT_EQ(best_sensor(gpu)->field, PowerField::instant);
  gpu.changed_capabilities().power = {PowerField::usage};
  EXPECT_EQ(best_sensor(gpu)->field, PowerField::usage);
  EXPECT_TRUE(best_sensor(gpu)->known);
  gpu.changed_capabilities().power = {};
  const auto none = best_sensor(gpu);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Errc::unsupported);
  EXPECT_NE(none.error().message.find("h200"), std::string::npos);
}

TEST(SensorFacts, AnUnlistedFieldOfAKnownProductUsesTheDefault) {
  device::Twin twin(device::device_called("a40"));  // listed with "usage" only
  device::TwinDevice sound(twin, {});
  FaultyDevice gpu(sound);
  gpu.changed_capabilities().power = {device::PowerField::instant};
  const auto facts = best_sensor(gpu);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->field, device::PowerField::instant);
  EXPECT_FALSE(facts->known);
}

std::string sensor_with(const std::string& changed) {
  return R"({"field": "usage", "period_ms": 100, "window_ms": 25, "gain": 1, "gain_spread": 0.05, "offset_w": 0,
             "offset_spread_w": 3, "noise_w": 1, "source": "s")" +
         (changed.empty() ? "" : ", " + changed) + "}";  // of duplicate keys, the last is used
}

std::string file_with(const std::string& sensor) {
  return R"({"sources": {"s": "somewhere", "unknown": "?"}, "products": [{"match": [], "sensors": [)" +
         sensor + "]}]}";
}

TEST(SensorFacts, ReadsAFile) {
  const auto parsed = SensorCatalog::parse(file_with(sensor_with("")), "a.json");
  ASSERT_TRUE(parsed) << parsed.error().message;
  const SensorFacts facts = parsed->of("anything").front();
  EXPECT_EQ(facts.period, 100_ms);
  EXPECT_EQ(facts.window, 25_ms);
  EXPECT_EQ(facts.offset_spread, 3_W);
  EXPECT_EQ(facts.source, "somewhere");
  EXPECT_TRUE(facts.known);
}

struct Malformed {
  const char* name;
  std::string json;
  const char* says;
};

class MalformedFile : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedFile, IsAnErrorThatNamesTheField) {
  const auto parsed = SensorCatalog::parse(GetParam().json, "a.json");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, Errc::invalid_input);
  EXPECT_NE(parsed.error().message.find("a.json"), std::string::npos) << parsed.error().message;
  EXPECT_NE(parsed.error().message.find(GetParam().says), std::string::npos) << parsed.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Files, MalformedFile,
    testing::Values(
        Malformed{"Empty", "", "not JSON"}, Malformed{"NotJson", "{", "not JSON"},
        Malformed{"AnArray", "[]", "products"}, Malformed{"NoSources", R"({"products": []})", "sources"},
        Malformed{"NoProducts", R"({"sources": {}})", "products"},
        Malformed{"EmptyProducts", R"({"sources": {}, "products": []})", "all others"},
        Malformed{"ProductIsNoObject", R"({"sources": {}, "products": [3]})", "match"},
        Malformed{"NoMatch", R"({"sources": {}, "products": [{"sensors": []}]})", "match"},
        Malformed{"NoSensors", R"({"sources": {}, "products": [{"match": []}]})", "sensors"},
        Malformed{"MatchesANumber", R"({"sources": {}, "products": [{"match": [3], "sensors": []}]})",
                  "match"},
        Malformed{"NobodyForTheOthers",
                  R"({"sources": {}, "products": [{"match": ["A100"], "sensors": []}]})", "all others"},
        Malformed{"SensorIsNoObject", file_with("7"), "field"},
        Malformed{"NoSuchField", file_with(sensor_with(R"("field": "psychic")")), "field"},
        Malformed{"PeriodIsText", file_with(sensor_with(R"("period_ms": "soon")")), "period_ms"},
        Malformed{"PeriodIsZero", file_with(sensor_with(R"("period_ms": 0)")), "period_ms"},
        Malformed{"WindowIsNegative", file_with(sensor_with(R"("window_ms": -25)")), "window_ms"},
        Malformed{"WindowIsAbsent", file_with(R"({"field": "usage", "period_ms": 100, "source": "s"})"),
                  "window_ms"},
        Malformed{"GainIsZero", file_with(sensor_with(R"("gain": 0)")), "gain"},
        Malformed{"GainIsHuge", file_with(sensor_with(R"("gain": 1e300)")), "gain"},
        Malformed{"SpreadIsNegative", file_with(sensor_with(R"("gain_spread": -0.1)")), "gain_spread"},
        Malformed{"OffsetIsNull", file_with(sensor_with(R"("offset_w": null)")), "offset_w"},
        Malformed{"NoiseIsNegative", file_with(sensor_with(R"("noise_w": -1)")), "noise_w"},
        Malformed{"SourceIsNotListed", file_with(sensor_with(R"("source": "hearsay")")), "hearsay"}),
    [](const auto& each) { return each.param.name; });

class MalformedText : public MalformedFile {};
TEST_P(MalformedText, IsAnErrorAndNotAnException) {
  EXPECT_NO_THROW({
    const auto parsed = SensorCatalog::parse(GetParam().json, "a.json");
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().kind, Errc::invalid_input);
  });
}
INSTANTIATE_TEST_SUITE_P(
    Files, MalformedText,
    testing::Values(Malformed{"FieldIsANumber", file_with(sensor_with(R"("field": 3)")), ""},
                    Malformed{"SourceIsANumber", file_with(sensor_with(R"("source": 3)")), ""},
                    Malformed{"SourceListsANumber",
                              R"({"sources": {"s": 3}, "products": [{"match": [], "sensors": [)" +
                                  sensor_with("") + "]}]}",
                              ""}),
    [](const auto& each) { return each.param.name; });

// It would match every name and hide all later products.
TEST(SensorFacts, AnEmptyNameIsAnError) {
  EXPECT_FALSE(SensorCatalog::parse(
      R"({"sources": {}, "products": [{"match": ["-"], "sensors": []}, {"match": [], "sensors": []}]})",
      "a.json"));
}

TEST(SensorCatalogFile, ADeepFileIsRefused) {
  const auto catalog = SensorCatalog::parse(
      "{\"sources\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}", "deep.json");
  ASSERT_FALSE(catalog);
  EXPECT_TRUE(catalog.error().message.starts_with("deep.json: nested deeper than 128 levels"));
}

}  // namespace
}  // namespace ergon::meter
