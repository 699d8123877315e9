#include "sources/device_source.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "device/twin/catalog.h"
#include "predict/model/builtin_models.h"
#include "support/temporary_folder.h"

namespace ergon::sources {
namespace {

using device::NameKind;

std::string text_of_device(const std::string& name) {
  for (const auto& [device, text] : device::device_files()) {
    if (device == name) return std::string(text);
  }
  return "";
}

// A device file and a model file of a30.
class DeviceSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file(device_, text_of_device("a30")));
    ASSERT_TRUE(write_file(model_, std::string(predict::builtin_model("a30"))));
  }
  test::TemporaryFolder folder_;
  const std::string device_ = (folder_ / "Board.JSON").string(), model_ = (folder_ / "a30.json").string();
};

using LoadPredictors = DeviceSourceTest;

TEST_F(DeviceSourceTest, ResolvesProcessorsGpusAndTwins) {
  EXPECT_EQ((DeviceSource{"CPU", {}}.kind()), NameKind::processor);
  for (const char* name : {"0", "gpu0", "GPU12", "GPU-5c2a"})
    EXPECT_EQ((DeviceSource{name, {}}.kind()), NameKind::gpu) << name;
  for (const char* name : {"h200", "gpu", "gpus", "gpu.json", "0.json", ""})
    EXPECT_EQ((DeviceSource{name, {}}.kind()), NameKind::twin) << name;
}

TEST_F(DeviceSourceTest, FindsTwinsByNameAndByFile) {
  EXPECT_EQ((DeviceSource{"A30", {}}.twin().value().name), "a30");
  EXPECT_EQ((DeviceSource{device_, {}}.twin().value().name), "a30");
  const auto unknown = DeviceSource{"a31", {}}.twin();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Errc::unknown_name);
  EXPECT_TRUE(unknown.error().message.starts_with("unknown device \"a31\" (did you mean \"a30\"?)"));
}

TEST_F(DeviceSourceTest, PredictsWithTheGivenModelTheBundledModelOrTheTwin) {
  EXPECT_EQ((DeviceSource{"a30", model_}.predictor().value().model()->device), "a30");
  EXPECT_EQ((DeviceSource{device_, {}}.predictor().value().model()->device), "a30");
  ASSERT_TRUE(predict::builtin_model("v100").empty());
  EXPECT_EQ((DeviceSource{"v100", {}}.predictor().value().model()), nullptr);
  const auto other = DeviceSource{"v100", model_}.predictor();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the model was fitted for a30, not for v100");
}

TEST_F(DeviceSourceTest, NamesItsFiles) {
  EXPECT_TRUE((DeviceSource{"a30", {}}.files().empty()));
  EXPECT_EQ((DeviceSource{device_, model_}.files()), (std::vector{device_, model_}));
  EXPECT_EQ((DeviceSource{"a30", model_}.files()), std::vector{model_});
}

TEST_F(LoadPredictors, AssignsModelsToTheirDevices) {
  const auto loaded = load_predictors({"v100", "A30"}, {model_}).value();
  ASSERT_EQ(loaded.predictors.size(), 2u);
  EXPECT_EQ(loaded.predictors[0].gpu().name, "v100");
  EXPECT_EQ(loaded.predictors[0].model(), nullptr);
  EXPECT_EQ(loaded.predictors[1].gpu().name, "a30");
  ASSERT_NE(loaded.predictors[1].model(), nullptr);
  EXPECT_EQ(loaded.files, std::vector{model_});
}

TEST_F(LoadPredictors, ReturnsEachDeviceOnce) {
  const auto loaded = load_predictors({device_, "v100", "a30", "V100"}, {model_}).value();
  ASSERT_EQ(loaded.predictors.size(), 2u);
  EXPECT_EQ(loaded.predictors[0].gpu().name, "a30");
  EXPECT_EQ(loaded.predictors[1].gpu().name, "v100");
  EXPECT_EQ(loaded.files, (std::vector{device_, model_})) << "the first of two names";
}

// Results are reported by name, so that of two devices with one name only the first would be compared.
TEST_F(LoadPredictors, RejectTwoDevicesWithOneName) {
  const std::string edited = (folder_ / "my.json").string();
  std::string text = text_of_device("a30");
  const auto at = text.find("\"multiprocessors\": [56,");
  ASSERT_NE(at, std::string::npos);
  ASSERT_TRUE(write_file(edited, text.replace(at, 23, "\"multiprocessors\": [28,")));
  for (const auto& devices : {std::vector<std::string>{edited, "a30"}, {"a30", edited}}) {
    const auto both = load_predictors(devices, {});
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().kind, Errc::invalid_input);
    EXPECT_EQ(both.error().message,
              "--device: " + devices[0] + " and " + devices[1] +
                  " are different devices with the same name \"a30\"; change \"name\" in "
                  "the device file");
  }
  EXPECT_EQ(load_predictors({edited, edited}, {}).value().predictors.size(), 1u) << "one device named twice";
}

TEST_F(LoadPredictors, RejectModelsOfOtherDevices) {
  const auto other = load_predictors({"v100"}, {model_});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, Errc::invalid_input);
  EXPECT_EQ(other.error().message, "--model: " + model_ + " is a model of a30, which is not in --device");
  EXPECT_EQ(load_predictors({"v10"}, {}).error().kind, Errc::unknown_name);
  EXPECT_EQ(load_predictors({"a30"}, {"missing.json"}).error().kind, Errc::not_found);
}

TEST(TwinOfProduct, IgnoresSuffixes) {
  EXPECT_EQ(twin_of_product("NVIDIA H200"), "h200");
  EXPECT_EQ(twin_of_product("NVIDIA H200 (simulated)"), "h200");
  for (const std::string& name : device::device_names()) {
    EXPECT_EQ(twin_of_product(name), name);
    EXPECT_EQ(twin_of_product(device::find_device(name).value().title), name);
  }
  EXPECT_EQ(twin_of_product("NVIDIA H2"), std::nullopt) << "part of a word";
  EXPECT_EQ(twin_of_product("Intel Xeon"), std::nullopt);
}

}  // namespace
}  // namespace ergon::sources
