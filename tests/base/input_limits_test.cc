#include "base/input_limits.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

std::string limit_refusal(std::string_view text) {
  const auto limits = parse_input_limits(text);
  EXPECT_FALSE(limits) << text;
  return limits ? "" : limits.error().message;
}

TEST(InputLimits, AreTheDefaultsUnlessNamed) {
  EXPECT_EQ(parse_input_limits("").value(), InputLimits());
  EXPECT_EQ(parse_input_limits(" , ").value(), InputLimits());
  InputLimits two;
  two.file_bytes = std::uint64_t{1} << 30;
  two.depth = 256;
  EXPECT_EQ(parse_input_limits("file=1GiB, depth=256").value(), two);
}

TEST(InputLimits, EachHasAName) {
  const InputLimits all{.file_bytes = 1,
                        .depth = 2,
                        .expansion = 3,
                        .expanded_bytes = 4,
                        .window_bytes = 5,
                        .layers = 6,
                        .parts = 7};
  EXPECT_EQ(parse_input_limits("file=1B,depth=2,expansion=3,expanded=4B,window=5B,layers=6,parts=7").value(),
            all);
}

TEST(InputLimits, InvalidOnesAreRefused) {
  EXPECT_EQ(limit_refusal("depht=3"),
            "unknown limit \"depht\" (did you mean \"depth\"?); expected file, depth, expansion, expanded, "
            "window, layers or parts");
  EXPECT_EQ(limit_refusal("depth"), "\"depth\" is not NAME=VALUE (example: file=1GiB)");
  EXPECT_EQ(limit_refusal("depth=1001"), "depth: \"1001\" is not a whole number from 1 to 1000");
  EXPECT_EQ(limit_refusal("layers=0"), "layers: \"0\" is not a whole number from 1 to 1000000000");
  EXPECT_EQ(limit_refusal("file=0B"), "file: 0B is not a size from 1 B to 9 PB");
  EXPECT_NE(limit_refusal("file=7").find("file: "), std::string::npos);
  EXPECT_NE(limit_refusal("file=3s").find("file: "), std::string::npos);
}

}  // namespace
}  // namespace ergon
