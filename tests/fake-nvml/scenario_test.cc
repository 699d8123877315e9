#include "scenario.h"

#include <gtest/gtest.h>

namespace ergon::fake_nvml {
namespace {

std::string mistake(const std::string& json) {
  const auto scenario = parse_scenario(json, "s.json");
  return scenario ? "none" : scenario.error().message;
}

TEST(Scenario, AnEmptyScenarioIsTheDefault) {
  const Scenario scenario = parse_scenario("{}", "s.json").value();
  ASSERT_EQ(scenario.slots.size(), 1U);
  EXPECT_EQ(scenario.slots[0].gpu.name, "h200");
  EXPECT_EQ(scenario.slots[0].uuid, default_scenario().slots[0].uuid);
  EXPECT_FALSE(scenario.manual_time);
  EXPECT_EQ(scenario.permissions.size(), 5U);
}

TEST(Scenario, DevicesHaveDifferentIds) {
  const Scenario scenario =
      parse_scenario(R"({"devices": ["h200", "h200", {"twin": "h200", "seed": 9}]})", "").value();
  ASSERT_EQ(scenario.slots.size(), 3U);
  EXPECT_NE(scenario.slots[0].uuid, scenario.slots[1].uuid);
  EXPECT_NE(scenario.slots[0].serial, scenario.slots[1].serial);
  EXPECT_NE(scenario.slots[1].uuid, scenario.slots[2].uuid);
  EXPECT_EQ(scenario.slots[2].pci.bus, 0x12U);
  EXPECT_EQ(scenario.slots[2].seed, 9U);
  EXPECT_NE(scenario.slots[0].seed, scenario.slots[1].seed);
  const Scenario alike = parse_scenario(R"({"devices": [{"twin": "h200", "seed": 2}, "h200"]})", "").value();
  EXPECT_NE(alike.slots[0].uuid, alike.slots[1].uuid);
}

TEST(Scenario, DifferentScenariosHaveDifferentDigests) {
  EXPECT_NE(parse_scenario("{}", "").value().digest,
            parse_scenario(R"({"time": "manual"})", "").value().digest);
  EXPECT_EQ(parse_scenario("{}", "a").value().digest, parse_scenario("{}", "b").value().digest);
}

TEST(Scenario, ResolvesPathsRelativeToItsFile) {
  EXPECT_EQ(parse_scenario(R"({"state": "here"})", "/some/folder/s.json").value().state, "/some/folder/here");
  EXPECT_EQ(mistake(R"({"devices": ["mine.json"]})"), "s.json: devices[0]: mine.json: no such file");
}

TEST(Scenario, ErrorsNameTheField) {
  EXPECT_EQ(mistake("{"), "s.json:1: not JSON");
  EXPECT_EQ(mistake(R"({"device": []})"), "s.json: unknown field \"device\" (did you mean \"devices\"?)");
  EXPECT_EQ(mistake(R"({"time": "fast"})"),
            "s.json: \"time\": expected \"wall\" or \"manual\", not \"fast\"");
  EXPECT_EQ(mistake(R"({"cuda": "13"})"),
            "s.json: \"cuda\": expected a version, for example \"13.0\", not \"13\"");
  EXPECT_EQ(mistake(R"({"devices": {}})"), "s.json: \"devices\": expected a list, not {}");
  EXPECT_EQ(mistake(R"({"devices": [{"seed": 1}]})"), "s.json: devices[0]: \"twin\" is missing");
  EXPECT_EQ(mistake(R"({"devices": [{"twin": "h200", "sed": 1}]})"),
            "s.json: devices[0]: unknown field \"sed\" (did you mean \"seed\"?)");
  EXPECT_TRUE(
      mistake(R"({"devices": ["h20"]})")
          .starts_with("s.json: devices[0]: unknown device \"h20\" (did you mean \"h200\"?); expected "));
  EXPECT_EQ(
      mistake(R"({"devices": [{"twin": "h200", "pci": "zz:1"}]})"),
      "s.json: devices[0]: \"pci\": expected a PCI address, for example \"0000:10:00.0\", not \"zz:1\"");
  EXPECT_TRUE(mistake(R"({"sockets": 0})").starts_with("s.json: \"sockets\""))
      << mistake(R"({"sockets": 0})");
  EXPECT_TRUE(
      mistake(R"({"permissions": ["power_limit", "clocks"]})")
          .starts_with("s.json: \"permissions\": expected \"all\", \"none\" or a list of power_limit, "));
  EXPECT_TRUE(
      mistake(R"({"permissions": "some"})").starts_with("s.json: \"permissions\": expected \"all\", "));
  EXPECT_EQ(mistake(R"({"background": [{"network": "resnet50", "on": "2s"}]})"),
            "s.json: background[0]: \"off\" is missing");
  EXPECT_EQ(mistake(R"({"background": [{"network": "resnet50", "on": "2W", "off": "1s"}]})"),
            "s.json: background[0]: \"on\": expected a time of at least 1ms, for example \"2s\", not \"2W\"");
  EXPECT_TRUE(mistake(R"({"background": [{"network": "resnet5000"}]})")
                  .starts_with("s.json: background[0]: unknown network \"resnet5000\""));
}

TEST(Scenario, ErrorsInFaultsNameTheField) {
  const auto fault = [](const std::string& json) { return mistake(R"({"faults": [)" + json + "]}"); };
  EXPECT_EQ(fault(R"({})"), "s.json: faults[0]: \"fault\" is missing");
  EXPECT_EQ(
      fault(R"({"fault": "lots"})"),
      "s.json: faults[0]: \"fault\": expected one of no_driver, lost, vanished, fails, slow, unsupported, "
      "stuck, absurd, not "
      "\"lots\"");
  EXPECT_EQ(fault(R"({"fault": "lost"})"), "s.json: faults[0]: \"gpu\" is missing");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 1})"),
            "s.json: faults[0]: \"gpu\": expected the index of a GPU of \"devices\", not 1");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 0, "from": 5})"),
            "s.json: faults[0]: \"from\": expected a text, not 5");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 0, "from": "5W"})"),
            "s.json: faults[0]: \"from\": expected a time, for example \"5s\", not \"5W\"");
  EXPECT_EQ(fault(R"({"fault": "fails", "function": "nvmlShutdown", "result": "no"})"),
            "s.json: faults[0]: \"result\": expected the name of a return code, for example "
            "\"no_permission\", not \"no\"");
  EXPECT_EQ(fault(R"({"fault": "fails", "function": "nvmlDeviceGetName"})"),
            "s.json: faults[0]: \"result\" is missing");
  EXPECT_EQ(fault(R"({"fault": "slow", "function": "power", "by": "1s"})"),
            "s.json: faults[0]: \"function\": expected the name of an NVML function, not \"power\"");
  EXPECT_EQ(fault(R"({"fault": "slow", "function": "nvmlDeviceGetPowerUsag", "by": "1s"})"),
            "s.json: faults[0]: \"function\": expected the name of an NVML function (did you mean "
            "\"nvmlDeviceGetPowerUsage\"?), not \"nvmlDeviceGetPowerUsag\"");
  EXPECT_EQ(mistake(R"({"absent": ["nvmlPower"]})"),
            "s.json: \"absent\": expected names of NVML functions, not [\"nvmlPower\"]");
  EXPECT_EQ(fault(R"({"fault": "stuck", "reading": "volts"})"),
            "s.json: faults[0]: \"reading\": expected one of usage, average, instant, samples, energy, "
            "temperature, not "
            "\"volts\"");
  EXPECT_EQ(
      fault(R"({"fault": "absurd", "reading": "energy", "value": "3TW"})"),
      "s.json: faults[0]: \"value\": expected a quantity of the reading, for example \"3TW\", \"1MJ\" or "
      "\"300degC\", not \"3TW\"");
  EXPECT_TRUE(
      fault(R"({"fault": "no_driver", "gpu": 0})").starts_with("s.json: faults[0]: unknown field \"gpu\""));
}

}  // namespace
}  // namespace ergon::fake_nvml
