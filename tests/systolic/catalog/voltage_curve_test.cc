#include "systolic/catalog/voltage_curve.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::systolic {
namespace {

constexpr Hertz kTop{500e6};

std::string error_of(const std::string& points) {
  const auto curve =
      parse_voltage_curve(R"({"name": "v", "title": "t", "points": )" + points + "}", "v.json");
  return curve ? "read" : curve.error().message;
}

TEST(VoltageCurve, InProportionUnlessThereIsATable) {
  const VoltageCurve linear = VoltageCurve::linear();
  EXPECT_DOUBLE_EQ(linear.ratio(Hertz{100e6}, kTop), 0.2);
  EXPECT_EQ(linear.ratio(kTop, kTop), 1);
  EXPECT_EQ(find_voltage_curve("linear")->name(), "linear");
}

TEST(VoltageCurve, SharesWithAFloor) {
  const auto curve = find_voltage_curve("floor-60");
  ASSERT_TRUE(curve);
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{400e6}, kTop), 0.8);
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{300e6}, kTop), 0.6);
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{50e6}, kTop), 0.6);
  const auto narrow = find_voltage_curve("floor-80");
  ASSERT_TRUE(narrow);
  EXPECT_DOUBLE_EQ(narrow->ratio(Hertz{375e6}, kTop), 0.9);
  EXPECT_DOUBLE_EQ(narrow->ratio(Hertz{50e6}, kTop), 0.8);
}

TEST(VoltageCurve, AlphaPowerLawByDefault) {
  const auto curve = find_voltage_curve(kDefaultVoltageCurve);
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_FALSE(curve->is_linear());
  EXPECT_DOUBLE_EQ(curve->leakage, 0.2);
  EXPECT_FALSE(curve->sources.empty());
  // The clock that the law gives for a voltage needs that voltage: clock ~ (V - 0.35)^1.3 / V.
  const auto clock = [](double v) { return std::pow((v - 0.35) / 0.65, 1.3) / v; };
  for (double voltage = 0.6; voltage < 1; voltage += 0.01)
    EXPECT_NEAR(curve->ratio(clock(voltage) * kTop, kTop), voltage, 0.002) << voltage;
  for (const double share : {0.48, 0.3, 0.1, 0.001})
    EXPECT_DOUBLE_EQ(curve->ratio(share * kTop, kTop), 0.6) << share;
  EXPECT_EQ(VoltageCurve::linear().leakage, 0);
  EXPECT_EQ(find_voltage_curve("floor-60")->leakage, 0);
}

TEST(VoltageCurve, LeakageIsAShare) {
  const auto with = [](const std::string& leakage) {
    return parse_voltage_curve(R"({"name": "v", "title": "t", "leakage_share": )" + leakage +
                                   R"(, "points": [{"clock_share": 1, "voltage_share": 1}]})",
                               "v.json");
  };
  EXPECT_DOUBLE_EQ(with("0.3")->leakage, 0.3);
  ASSERT_TRUE(with("0")) << with("0").error().message;
  EXPECT_EQ(with("0")->leakage, 0) << "as without the field";
  EXPECT_EQ(with("0.0")->leakage, 0);
  EXPECT_EQ(with("1")->leakage, 1);
  EXPECT_EQ(with("1.5").error().message, "v.json: \"leakage_share\": expected a share from 0 to 1, not 1.5");
  for (const char* const wrong : {"-0.1", "1.0001", "\"0.2\"", "true"}) EXPECT_FALSE(with(wrong)) << wrong;
}

TEST(VoltageCurve, MegahertzAndVolts) {
  const auto curve = VoltageCurve::table("v", {{200, 0.6}, {400, 0.6}, {600, 0.9}}, true);
  ASSERT_TRUE(curve);
  EXPECT_TRUE(curve->check(kTop));
  // At 500 MHz it takes 0.75 V.
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{100e6}, kTop), 0.8);
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{400e6}, kTop), 0.8);
  EXPECT_DOUBLE_EQ(curve->ratio(Hertz{450e6}, kTop), 0.9);
  const auto high = curve->check(Hertz{700e6});
  ASSERT_FALSE(high);
  EXPECT_EQ(high.error().message,
            "the table of voltages \"v\" ends at 600 MHz; the highest clock is 700 MHz");
}

TEST(VoltageCurve, ErrorsNameTheProblem) {
  EXPECT_EQ(error_of(R"([{"clock_mhz": 500, "voltage_v": 0.8}])"), "read");
  EXPECT_EQ(error_of("[]"), "v.json: a table of voltages without a point");
  EXPECT_EQ(error_of(R"([{"clock_mhz": 500, "voltage_v": 0.8}, {"clock_mhz": 300, "voltage_v": 0.9}])"),
            "v.json: point 2 of the table: clock 300 does not come after 500; the lowest clock is first");
  EXPECT_EQ(error_of(R"([{"clock_mhz": 300, "voltage_v": 0.8}, {"clock_mhz": 300, "voltage_v": 0.9}])"),
            "v.json: point 2 of the table: clock 300 does not come after 300; the lowest clock is first");
  EXPECT_EQ(error_of(R"([{"clock_mhz": 300, "voltage_v": 0.8}, {"clock_mhz": 500, "voltage_v": 0.7}])"),
            "v.json: point 2 of the table: voltage falls from 0.8 to 0.7; a higher clock never needs less");
  EXPECT_EQ(error_of(R"([{"clock_share": 0.5, "voltage_share": 0.8}])"),
            "v.json: a table in shares ends with the highest clock and voltage, 1 and 1");
  const char* const wanted =
      "objects with \"clock_mhz\" and \"voltage_v\", or \"clock_share\" and \"voltage_share\"";
  EXPECT_EQ(error_of(R"([{"clock_mhz": 300, "voltage_share": 1}])"),
            fmt::format("v.json: \"points\": expected {}, not [{{\"clock_mhz\":300,\"voltage_share\":1}}]",
                        wanted));
  EXPECT_EQ(
      error_of(R"([{"clock_mhz": 0, "voltage_v": 1}])"),
      fmt::format("v.json: \"points\": expected {}, not [{{\"clock_mhz\":0,\"voltage_v\":1}}]", wanted));
  EXPECT_EQ(error_of("3"), "v.json: \"points\": expected a list of points, not 3");
  EXPECT_EQ(
      find_voltage_curve("steep").error().message,
      "unknown table of voltages \"steep\"; expected linear, alpha-power, floor-60, floor-80, or a .json "
      "file");
}

}  // namespace
}  // namespace ergon::systolic
