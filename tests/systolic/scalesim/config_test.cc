#include "systolic/scalesim/config.h"

#include <string>

#include <gtest/gtest.h>

namespace ergon::systolic::scalesim {
namespace {

const std::string kConfig = R"([general]
run_name = my_run

[architecture_presets]
ArrayHeight:    64
arraywidth =    32
IfmapSramSzkB:    1024
FilterSramSzkB:   2048
OfmapSramSzkB:    512
Dataflow : os
Bandwidth : 20

[layout]
IfmapCustomLayout: False
IfmapSRAMBankBandwidth: 12
IfmapSRAMBankNum: 3
FilterSRAMBankBandwidth: 14

[run_presets]
; a remark
InterfaceBandwidth: USER
)";

std::string with(std::string_view old, std::string_view changed) {
  std::string text = kConfig;
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), changed);
}

std::string error_of(const std::string& text) {
  const auto config = parse_config(text, "a.cfg");
  EXPECT_FALSE(config) << text;
  return config ? "" : config.error().message;
}

TEST(Config, ReadsEverySetting) {
  const auto config = parse_config(kConfig, "a.cfg");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->run_name, "my_run");
  const Machine machine{{64, 32}, Dataflow::output_stationary, {1 << 20, 2 << 20, 512 << 10}};
  EXPECT_EQ(config->machine, machine);
  EXPECT_TRUE(config->user_bandwidth);
  EXPECT_TRUE(config->warnings.empty());
}

TEST(Config, V3ReadsAtTheBandwidthOfItsLayout) {
  const auto config = parse_config(kConfig, "a.cfg");
  ASSERT_TRUE(config);
  const PortWords v3 = config->ports(Semantics::v3), v2 = config->ports(Semantics::v2);
  EXPECT_EQ(v3.ifmap, 12);
  EXPECT_EQ(v3.filter, 14);
  EXPECT_EQ(v3.ofmap, 20);
  EXPECT_EQ(v2.ifmap, 20);
  EXPECT_EQ(v2.filter, 20);
  // Without the section it is 10, whatever Bandwidth says.
  std::string text = kConfig;
  text.erase(text.find("[layout]"), text.find("[run_presets]") - text.find("[layout]"));
  const auto without = parse_config(text, "a.cfg");
  ASSERT_TRUE(without);
  EXPECT_EQ(without->ports(Semantics::v3).ifmap, 10);
  EXPECT_EQ(without->ports(Semantics::v3).ofmap, 20);
}

TEST(Config, ReadsWindowsLineEndsAndAList) {
  std::string text = "\xef\xbb\xbf" + with("Bandwidth : 20", "Bandwidth : 20, 30");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  const auto config = parse_config(text, "a.cfg");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->bandwidth, 20);
}

TEST(Config, NamesUnknownKeys) {
  const auto config = parse_config(kConfig + "Threads: 4\n[extra]\nspeed = 3\n", "a.cfg");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->warnings, (std::vector<std::string>{"a.cfg:22: [run_presets] Threads has no effect",
                                                        "a.cfg:24: [extra] speed has no effect"}));
}

TEST(Config, ErrorsNameTheLineAndTheProblem) {
  EXPECT_EQ(error_of(with("[architecture_presets]", "[architecture]")),
            "a.cfg: there is no section [architecture_presets], where ArrayHeight should be");
  EXPECT_EQ(error_of(with("ArrayHeight:    64", "")), "a.cfg: [architecture_presets] has no ArrayHeight");
  EXPECT_EQ(error_of(with("ArrayHeight:    64", "ArrayHeight: 0")),
            "a.cfg:5: ArrayHeight wants a whole number from 1 to 1048576, not \"0\"");
  EXPECT_EQ(error_of(with("IfmapSramSzkB:    1024", "IfmapSramSzkB: big")),
            "a.cfg:7: IfmapSramSzkB wants a whole number from 1 to 1073741824, not \"big\"");
  EXPECT_EQ(error_of(with("Dataflow : os", "Dataflow : rs")),
            "a.cfg:10: Dataflow: \"rs\" is not a dataflow; expected os, ws or is");
  EXPECT_EQ(error_of(with("Bandwidth : 20", "Bandwidth : 0")),
            "a.cfg:11: Bandwidth wants a whole number from 1 to 1073741824, not \"0\"");
  EXPECT_EQ(error_of(with("Bandwidth : 20", "")), "a.cfg: [architecture_presets] has no Bandwidth");
  EXPECT_EQ(error_of(with("USER", "user")), "a.cfg:21: InterfaceBandwidth is USER or CALC, not \"user\"");
  EXPECT_EQ(
      error_of(with("IfmapSRAMBankNum: 3", "IfmapSRAMBankNum: 5")),
      "a.cfg:16: IfmapSRAMBankNum = 5 does not divide IfmapSRAMBankBandwidth = 12; SCALE-Sim stops here");
  EXPECT_EQ(error_of(with("IfmapCustomLayout: False", "IfmapCustomLayout: True")),
            "a.cfg:14: IfmapCustomLayout = True: a layout of one's own is not supported");
  EXPECT_EQ(error_of(with("run_name = my_run", "run_name = ../x")),
            "a.cfg:2: run_name = \"../x\" cannot be the name of a folder");
  EXPECT_EQ(error_of(with("ArrayHeight:    64", "ArrayHeight: 64\nARRAYHEIGHT: 3")),
            "a.cfg:6: ARRAYHEIGHT is set a second time (first in line 5)");
  EXPECT_EQ(error_of("x = 1\n"), "a.cfg:1: \"x = 1\" stands before the first section");
  EXPECT_EQ(error_of("[general\n"), "a.cfg:1: a section without a \"]\": [general");
  EXPECT_EQ(error_of("[general]\nnothing\n"),
            "a.cfg:2: \"nothing\" is neither a section nor \"key = value\"");
  EXPECT_EQ(error_of(""), "a.cfg: there is no section [general], where run_name should be");
}

TEST(Config, AScratchpadHoldsAtLeastALineOfTheArray) {
  const std::string text = with("arraywidth =    32", "arraywidth = 4096");
  std::string small = text;
  small.replace(small.find("OfmapSramSzkB:    512"), 21, "OfmapSramSzkB:    1");
  EXPECT_EQ(error_of(small),
            "a.cfg:9: OfmapSramSzkB: the ofmap scratchpad holds 1024 words; it needs 4096 at least (one line "
            "of the array "
            "is 4096)");
}

}  // namespace
}  // namespace ergon::systolic::scalesim
