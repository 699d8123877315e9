#include "device/twin/catalog.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "device/twin/parameter_digest.h"
#include "device/twin/parameters.h"

namespace ergon::device {
namespace {

std::string file_of(const std::string& name) {
  return *read_file(std::string(ERGON_REPOSITORY) + "/data/devices/" + name + ".json");
}

// The h200 file with one string replaced.
std::string with(std::string_view piece, std::string_view other) {
  std::string text = file_of("h200");
  const auto at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

std::string error_of(const std::string& text) {
  const auto gpu = parse_specification(text, "my.json");
  return gpu ? "none" : gpu.error().message;
}

TEST(DeviceCatalog, HasTheTwelveTwins) {
  const std::vector<std::string> wanted{"a100-pcie-40", "a100-sxm-80", "a30",  "a40",
                                        "h100",         "h200",        "p100", "p40",
                                        "rtx2080ti",    "rtx6000",     "v100", "v100s"};
  EXPECT_EQ(device_names(), wanted);
  for (const std::string& name : wanted) {
    const auto gpu = find_device(name);
    ASSERT_TRUE(gpu) << gpu.error().message;
    EXPECT_EQ(gpu->name, name);
    EXPECT_FALSE(gpu->sources.empty());
  }
}

TEST(DeviceCatalog, EmbedsTheFilesOfTheRepository) {
  for (const auto& [name, text] : device_files()) EXPECT_EQ(text, file_of(std::string(name))) << name;
}

// The digest in a device file is that of its parameters: the accuracy belongs to them.
TEST(DeviceCatalog, AccuracyOfBundledDevicesIsThatOfTheirParameters) {
  int calibrated = 0;
  for (const std::string& name : device_names()) {
    const auto gpu = find_device(name).value();
    EXPECT_FALSE(gpu.changed_after_calibration) << name << " has the digest " << parameter_digest(gpu);
    calibrated += gpu.residuals.empty() ? 0 : 1;
  }
  EXPECT_EQ(calibrated, 9);
}

TEST(DeviceCatalog, AnEditedParameterHasNoMeasuredAccuracy) {
  for (const auto& [piece, other] : {std::pair{"\"multiprocessors\": [132,", "\"multiprocessors\": [66,"},
                                     std::pair{"\"slowdown_c\": [87", "\"slowdown_c\": [80"}}) {
    const auto gpu = parse_specification(with(piece, other), "my.json").value();
    EXPECT_TRUE(gpu.residuals.empty()) << other;
    EXPECT_TRUE(gpu.changed_after_calibration) << other;
  }
}

TEST(DeviceCatalog, ATextChangeKeepsTheMeasuredAccuracy) {
  const auto gpu =
      parse_specification(with("\"title\": \"NVIDIA", "\"title\": \"My NVIDIA"), "my.json").value();
  EXPECT_FALSE(gpu.residuals.empty());
  EXPECT_FALSE(gpu.changed_after_calibration);
}

TEST(DeviceCatalog, SuggestsTheNearestName) {
  const auto gpu = find_device("h20");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().kind, Errc::unknown_name);
  EXPECT_NE(gpu.error().message.find("did you mean \"h200\""), std::string::npos) << gpu.error().message;
}

TEST(DeviceCatalog, NamesAMissingNumber) {
  EXPECT_EQ(error_of(with("\"multiprocessors\": [132, \"sheet\"],", "")),
            "my.json: \"multiprocessors\" is missing");
}

TEST(DeviceCatalog, RejectsUnphysicalNumbers) {
  EXPECT_EQ(error_of(with("[132, \"sheet\"]", "[-132, \"sheet\"]")),
            "my.json: \"multiprocessors\" is -132, outside of its physical range 1 to 1000");
  EXPECT_NE(error_of(with("\"slowdown_c\": [87", "\"slowdown_c\": [8700")).find("thermal.slowdown_c"),
            std::string::npos);
  EXPECT_NE(error_of(with("\"least_mhz\": [345", "\"least_mhz\": [2345")).find("above the highest clock"),
            std::string::npos);
  EXPECT_NE(error_of(with("\"usual_w\": [700", "\"usual_w\": [100")).find("must be in ascending order"),
            std::string::npos);
}

TEST(DeviceCatalog, EveryNumberNeedsAListedSource) {
  EXPECT_EQ(error_of(with("[132, \"sheet\"]", "132")),
            "my.json: \"multiprocessors\" must be [number, \"source\"], not 132");
  EXPECT_EQ(error_of(with("[132, \"sheet\"]", "[132, \"hearsay\"]")),
            "my.json: \"multiprocessors\" refers to the source \"hearsay\", which is not in \"sources\"");
}

TEST(DeviceCatalog, RejectsUnknownFields) {
  EXPECT_EQ(error_of(with("\"voltage\": {", "\"voltage\": {\"kneee\": [1, \"fit\"], ")),
            "my.json: unknown field \"voltage.kneee\"");
  EXPECT_NE(error_of(with("\"chip\":", "\"chips\": 1, \"chip\":")).find("unknown field \"chips\""),
            std::string::npos);
}

TEST(DeviceCatalog, RejectsABandwidthThatFallsWithTheClock) {
  EXPECT_NE(error_of(with("\"share\": [1.0", "\"share\": [0.1")).find("must be increasing"),
            std::string::npos);
}

TEST(DeviceCatalog, RejectsDuplicateSensors) {
  EXPECT_EQ(error_of(with("\"field\": \"instant\"", "\"field\": \"usage\"")),
            "my.json: duplicate sensor \"usage\"");
  EXPECT_EQ(error_of(with("\"field\": \"instant\"", "\"field\": \"average\"")),
            "my.json: duplicate sensor \"average\"");
  EXPECT_EQ(error_of(with("[\"average\"]", "[\"usage\"]")), "my.json: duplicate sensor \"usage\"");
  EXPECT_EQ(error_of(with("[\"average\"]", "\"average\"")),
            "my.json: \"sensors.usage.also\" must be a list of fields");
}

TEST(DeviceCatalog, RejectsThermalRunaway) {
  const auto gpu = find_device("h200");
  ASSERT_TRUE(gpu);
  const std::string leak =
      fmt::format("\"leakage_w_per_k\": [{}", parameter("power.leakage_w_per_k").read(*gpu));
  std::string text = with(leak, "\"leakage_w_per_k\": [5");
  const std::string resistance = "\"resistance_k_per_w\": [0.055";
  text.replace(text.find(resistance), resistance.size(), "\"resistance_k_per_w\": [0.5");
  EXPECT_NE(error_of(text).find("thermal runaway"), std::string::npos) << error_of(text);
}

TEST(DeviceCatalog, RejectsImpossibleAccuracies) {
  const auto error_with = [](const std::string& residual) {
    return error_of(with("\"residuals\": [",
                         "\"residuals\": [{\"table\": \"t\", \"quantity\": \"q\", " + residual + "}, "));
  };
  for (const char* rows : {"1e300", "-1", "1.5", "18446744073709551615", "\"1\"", "null"}) {
    EXPECT_EQ(
        error_with(fmt::format("\"rows_held_back\": {}", rows)),
        fmt::format("my.json: \"calibration.residuals.rows_held_back\" must be a number of rows, not {}",
                    rows == std::string_view("1e300") ? "1e+300" : rows));
  }
  EXPECT_EQ(error_with("\"mape_fitted\": -0.1"),
            "my.json: \"calibration.residuals.mape_fitted\" must be a share of at least 0, not -0.1");
  for (const char* kind :
       {"\"training\"", "\"training, tf33\"", "\"train, tf32\"", "\"training, tf32, bound\"", "1"}) {
    EXPECT_EQ(error_with(fmt::format("\"kinds_held_out\": [{}]", kind)),
              fmt::format("my.json: \"calibration.residuals.kinds_held_out\" must have texts such as "
                          "\"training, tf32\" or \"inference, bf16, host-bound\", not {}",
                          kind));
  }
  EXPECT_EQ(error_with("\"kinds_held_out\": \"training, tf32\""),
            "my.json: \"calibration.residuals.kinds_held_out\" must be a list");
}

TEST(Parameters, ReadBackWhatWasSet) {
  Specification gpu = *find_device("h200");
  for (const Parameter& each : parameters()) {
    const double middle = each.path == "multiprocessors" ? 64 : (each.min + each.max) / 2;
    each.set(gpu, middle);
    EXPECT_NEAR(each.read(gpu), middle, 1e-9 * middle) << each.path;
  }
}

}  // namespace
}  // namespace ergon::device
