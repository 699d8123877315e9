#include "base/units_text.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

using namespace ergon::literals;

TEST(ParseQuantity, ReadsTheFormsOfTheCommandLineContract) {
  EXPECT_EQ(*parse_quantity<Hertz>("900MHz", "--clock"), 900_MHz);
  EXPECT_EQ(*parse_quantity<Watts>("250 W", "--cap"), 250_W);
  EXPECT_EQ(*parse_quantity<Seconds>("20ms", "--period"), 20_ms);
  EXPECT_EQ(*parse_quantity<Bytes>("4MiB", "--buffer"), 4_MiB);
  EXPECT_EQ(*parse_quantity<BytesPerSecond>("122GB/s", "--bandwidth"), 122_GBps);
  EXPECT_EQ(*parse_quantity<Celsius>("65degC", "--limit"), 65_degC);
  EXPECT_EQ(*parse_quantity<Celsius>("-5 \u00b0C", "--limit"), Celsius{-5});
  EXPECT_EQ(*parse_quantity<Volts>("850mV", "--voltage"), Volts{0.85});
  EXPECT_EQ(*parse_quantity<Ratio>("80%", "--alpha"), Ratio{0.8});
  EXPECT_EQ(*parse_quantity<Ratio>("0.8", "--alpha"), Ratio{0.8});
  EXPECT_EQ(*parse_quantity<Joules>("1.5kWh", "--budget"), Joules{5.4e6});
  EXPECT_EQ(*parse_quantity<Seconds>("2min", "--for"), 120_s);
  EXPECT_EQ(*parse_quantity<Seconds>("10 \u00b5s", "--switch"), 10_us);
  EXPECT_EQ(*parse_quantity<Cycles>("2000cycles", "--latency"), cycles(2000));
  EXPECT_EQ(*parse_quantity<Bytes>("1.5e3 kB", "--buffer"), bytes(1'500'000));
  EXPECT_EQ(*parse_quantity<Watts>("  +1W ", "--cap"), 1_W);
}

TEST(ParseQuantity, IsCorrectlyRoundedThroughPrefixes) {
  // 0.1 is not a binary fraction; 0.1 GHz is exactly 100 MHz all the same.
  EXPECT_EQ(parse_quantity<Hertz>("0.1GHz", "x")->si(), 1e8);
  EXPECT_EQ(parse_quantity<Seconds>("3.3us", "x")->si(), 3.3e-6);
}

TEST(ParseQuantity, UpperAndLowerCaseMatter) {
  EXPECT_EQ(parse_quantity<Watts>("1mW", "x")->si(), 1e-3);
  EXPECT_EQ(parse_quantity<Watts>("1MW", "x")->si(), 1e6);
}

template <typename Q>
std::string error_of(std::string_view text, std::string_view name) {
  const auto result = parse_quantity<Q>(text, name);
  if (result) return "no error";
  EXPECT_EQ(result.error().kind, Errc::invalid_input);
  return result.error().message;
}

TEST(ParseQuantity, ErrorsNameTheInputAndTheExpectedUnit) {
  EXPECT_EQ(error_of<Watts>("250 Hz", "--watts"),
            "--watts: \"250 Hz\" is a frequency; expected a power (example: 250W)");
  EXPECT_EQ(error_of<Watts>("250", "--cap"), "--cap: \"250\" has no unit; expected a power (example: 250W)");
  EXPECT_EQ(error_of<Seconds>("fast", "--for"),
            "--for: \"fast\" does not begin with a number; expected a time (example: 20ms)");
  EXPECT_EQ(error_of<Seconds>("", "--for"),
            "--for: \"\" does not begin with a number; expected a time (example: 20ms)");
  EXPECT_EQ(error_of<Hertz>("900mhz", "--clock"),
            "--clock: \"900mhz\" has an unknown unit (did you mean mHz or MHz?); expected a frequency "
            "(example: 900MHz)");
  EXPECT_EQ(
      error_of<Bytes>("4KB", "--buffer"),
      "--buffer: \"4KB\" has an unknown unit (kB is 1000 bytes, KiB is 1024); expected a number of bytes "
      "(example: 4MiB)");
  EXPECT_EQ(error_of<Watts>("1e400W", "--cap"),
            "--cap: \"1e400W\" is out of range; expected a power (example: 250W)");
  EXPECT_EQ(error_of<Watts>("1", ""), "\"1\" has no unit; expected a power (example: 250W)");
}

TEST(ParseQuantity, RejectsTextThatIsNotANumber) {
  for (const char* text : {"nanW", "infW", "-W", "W", "0x10W", "1,5W", "1 2W", "--5W", "1W W", ".W"}) {
    EXPECT_FALSE(parse_quantity<Watts>(text, "--cap")) << text;
  }
}

TEST(QuantityText, ShowsFourDigitsInTheFittingPrefix) {
  EXPECT_EQ(to_text(900_MHz), "900 MHz");
  EXPECT_EQ(to_text(1234567_Hz), "1.235 MHz");
  EXPECT_EQ(to_text(999960_Hz), "1 MHz");
  EXPECT_EQ(to_text(250_W), "250 W");
  EXPECT_EQ(to_text(1520_W), "1.52 kW");
  EXPECT_EQ(to_text(0.25_W), "250 mW");
  EXPECT_EQ(to_text(1_ns), "1 ns");
  EXPECT_EQ(to_text(0_W), "0 W");
  EXPECT_EQ(to_text(20_ms), "20 ms");
  EXPECT_EQ(to_text(90_s), "90 s");
  EXPECT_EQ(to_text(7500_s), "2.083 h");
  EXPECT_EQ(to_text(150_s), "2.5 min");
  EXPECT_EQ(to_text(4_MiB), "4 MiB");
  EXPECT_EQ(to_text(bytes(1000)), "1000 B");
  EXPECT_EQ(to_text(122_GBps), "122 GB/s");
  EXPECT_EQ(to_text(Ratio{0.835}), "83.5%");
  EXPECT_EQ(to_text(65_degC), "65 degC");
  EXPECT_EQ(to_text(Watts{-1520}), "-1.52 kW");
}

TEST(QuantityText, ExactTextKeepsEveryDigit) {
  EXPECT_EQ(to_exact_text(Hertz{1234567.25}), "1.23456725MHz");
  EXPECT_EQ(to_exact_text(Watts{0.1}), "100mW");
  EXPECT_EQ(to_exact_text(bytes(1025)), "1.0009765625KiB");
  EXPECT_EQ(to_exact_text(Celsius{21.5}), "21.5degC");
}

}  // namespace
}  // namespace ergon
