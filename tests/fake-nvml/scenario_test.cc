#include "scenario.h"

#include <gtest/gtest.h>

namespace ergon::fake_nvml {
namespace {

std::string mistake(const std::string& json) {
  const auto scenario = parse_scenario(json, "s.json");
  return scenario ? "none" : scenario.error().message;
}

TEST(Scenario, AnEmptyOneIsTheUsual) {
  const Scenario scenario = parse_scenario("{}", "s.json").value();
  ASSERT_EQ(scenario.seats.size(), 1U);
  EXPECT_EQ(scenario.seats[0].gpu.name, "h200");
  EXPECT_EQ(scenario.seats[0].uuid, usual_scenario().seats[0].uuid);
  EXPECT_FALSE(scenario.manual_time);
  EXPECT_EQ(scenario.permissions.size(), 5U);
}

TEST(Scenario, DevicesDifferInTheirNumbers) {
  const Scenario scenario =
      parse_scenario(R"({"devices": ["h200", "h200", {"twin": "h200", "seed": 9}]})", "").value();
  ASSERT_EQ(scenario.seats.size(), 3U);
  EXPECT_NE(scenario.seats[0].uuid, scenario.seats[1].uuid);
  EXPECT_NE(scenario.seats[0].serial, scenario.seats[1].serial);
  EXPECT_NE(scenario.seats[1].uuid, scenario.seats[2].uuid);
  EXPECT_EQ(scenario.seats[2].pci.bus, 0x12U);
  EXPECT_EQ(scenario.seats[2].seed, 9U);
  EXPECT_NE(scenario.seats[0].seed, scenario.seats[1].seed);
  const Scenario alike = parse_scenario(R"({"devices": [{"twin": "h200", "seed": 2}, "h200"]})", "").value();
  EXPECT_NE(alike.seats[0].uuid, alike.seats[1].uuid);
}

TEST(Scenario, DifferentOnesHaveDifferentDigests) {
  EXPECT_NE(parse_scenario("{}", "").value().digest,
            parse_scenario(R"({"time": "manual"})", "").value().digest);
  EXPECT_EQ(parse_scenario("{}", "a").value().digest, parse_scenario("{}", "b").value().digest);
}

TEST(Scenario, PathsAreBesideIt) {
  EXPECT_EQ(parse_scenario(R"({"state": "here"})", "/some/folder/s.json").value().state, "/some/folder/here");
  EXPECT_EQ(mistake(R"({"devices": ["mine.json"]})"), "s.json: devices[0]: mine.json: no such file");
}

TEST(Scenario, MistakesNameTheirPlace) {
  EXPECT_EQ(mistake("{"), "s.json:1: not JSON");
  EXPECT_EQ(mistake(R"({"device": []})"),
            "s.json: \"device\" means nothing here (did you mean \"devices\"?)");
  EXPECT_EQ(mistake(R"({"time": "fast"})"), "s.json: \"time\" wants \"wall\" or \"manual\", not \"fast\"");
  EXPECT_EQ(mistake(R"({"cuda": "13"})"), "s.json: \"cuda\" wants a version such as \"13.0\", not \"13\"");
  EXPECT_EQ(mistake(R"({"devices": {}})"), "s.json: \"devices\" wants a list, not {}");
  EXPECT_EQ(mistake(R"({"devices": [{"seed": 1}]})"), "s.json: devices[0]: \"twin\" is missing");
  EXPECT_EQ(mistake(R"({"devices": [{"twin": "h200", "sed": 1}]})"),
            "s.json: devices[0]: \"sed\" means nothing here (did you mean \"seed\"?)");
  EXPECT_TRUE(mistake(R"({"devices": ["h20"]})")
                  .starts_with(
                      "s.json: devices[0]: there is no device \"h20\" (did you mean \"h200\"?); there are "));
  EXPECT_EQ(mistake(R"({"devices": [{"twin": "h200", "pci": "zz:1"}]})"),
            "s.json: devices[0]: \"pci\" wants an address such as \"0000:10:00.0\", not \"zz:1\"");
  EXPECT_TRUE(mistake(R"({"permissions": ["power_limit", "clocks"]})")
                  .starts_with("s.json: \"permissions\" wants \"all\", \"none\" or a list of power_limit, "));
  EXPECT_TRUE(mistake(R"({"permissions": "some"})").starts_with("s.json: \"permissions\" wants \"all\", "));
  EXPECT_EQ(mistake(R"({"background": [{"network": "resnet50", "on": "2s"}]})"),
            "s.json: background[0]: \"off\" is missing");
  EXPECT_EQ(mistake(R"({"background": [{"network": "resnet50", "on": "2W", "off": "1s"}]})"),
            "s.json: background[0]: \"on\" wants a time from 1ms on, such as \"2s\", not \"2W\"");
  EXPECT_TRUE(mistake(R"({"background": [{"network": "resnet5000"}]})")
                  .starts_with("s.json: background[0]: there is no network \"resnet5000\""));
}

TEST(Scenario, MistakesInFaultsDoToo) {
  const auto fault = [](const std::string& json) { return mistake(R"({"faults": [)" + json + "]}"); };
  EXPECT_EQ(fault(R"({})"), "s.json: faults[0]: \"fault\" is missing");
  EXPECT_EQ(fault(R"({"fault": "lots"})"),
            "s.json: faults[0]: \"fault\" wants one of no_driver, lost, vanished, fails, slow, unsupported, "
            "stuck, absurd, not "
            "\"lots\"");
  EXPECT_EQ(fault(R"({"fault": "lost"})"), "s.json: faults[0]: \"gpu\" is missing");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 1})"),
            "s.json: faults[0]: \"gpu\" wants the index of a GPU of \"devices\", not 1");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 0, "from": 5})"),
            "s.json: faults[0]: \"from\" wants a text, not 5");
  EXPECT_EQ(fault(R"({"fault": "lost", "gpu": 0, "from": "5W"})"),
            "s.json: faults[0]: \"from\" wants a time such as \"5s\", not \"5W\"");
  EXPECT_EQ(
      fault(R"({"fault": "fails", "function": "nvmlShutdown", "result": "no"})"),
      "s.json: faults[0]: \"result\" wants the name of a return code, such as \"no_permission\", not \"no\"");
  EXPECT_EQ(fault(R"({"fault": "fails", "function": "nvmlDeviceGetName"})"),
            "s.json: faults[0]: \"result\" is missing");
  EXPECT_EQ(fault(R"({"fault": "slow", "function": "power", "by": "1s"})"),
            "s.json: faults[0]: \"function\" wants the name of an NVML function, not \"power\"");
  EXPECT_EQ(fault(R"({"fault": "slow", "function": "nvmlDeviceGetPowerUsag", "by": "1s"})"),
            "s.json: faults[0]: \"function\" wants the name of an NVML function (did you mean "
            "\"nvmlDeviceGetPowerUsage\"?), not \"nvmlDeviceGetPowerUsag\"");
  EXPECT_EQ(mistake(R"({"absent": ["nvmlPower"]})"),
            "s.json: \"absent\" wants names of NVML functions, not [\"nvmlPower\"]");
  EXPECT_EQ(fault(R"({"fault": "stuck", "reading": "volts"})"),
            "s.json: faults[0]: \"reading\" wants one of usage, average, instant, samples, energy, "
            "temperature, not "
            "\"volts\"");
  EXPECT_EQ(
      fault(R"({"fault": "absurd", "reading": "energy", "value": "3TW"})"),
      "s.json: faults[0]: \"value\" wants a quantity of the reading's kind, such as \"3TW\", \"1MJ\" or "
      "\"300degC\", not \"3TW\"");
  EXPECT_TRUE(fault(R"({"fault": "no_driver", "gpu": 0})")
                  .starts_with("s.json: faults[0]: \"gpu\" means nothing here"));
}

}  // namespace
}  // namespace ergon::fake_nvml
