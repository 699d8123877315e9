#include "shell.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::app {
namespace {

using Body = nlohmann::ordered_json;

class ShellResult : public testing::Test {
 protected:
  Result<> print(const Body& body) {
    return shell_.print_result("test/1", {}, body, false, [this] {
      ++texts_;
      return std::string("a text\n");
    });
  }

  CapturedStreams streams_;
  SystemClock clock_;
  Shell shell_{{"ergon", "test"}, clock_, {}, streams_};
  int texts_ = 0;
};

TEST_F(ShellResult, IsTextOrJson) {
  ASSERT_TRUE(print({{"power_watts", 3}}));
  EXPECT_EQ(streams_.data(), "a text\n");
  streams_.data().clear();
  shell_.json = true;
  ASSERT_TRUE(print({{"power_watts", 3}}));
  EXPECT_EQ(Body::parse(streams_.data()).at("power_watts"), 3);
  EXPECT_EQ(texts_, 1);
}

// Numbers that cannot be right are printed neither as JSON nor as text.
TEST_F(ShellResult, OfImpossibleNumbersIsAnInternalError) {
  for (const bool json : {false, true}) {
    shell_.json = json;
    const Body bodies[] = {{{"power_watts", -3}},
                           {{"time_seconds", std::numeric_limits<double>::infinity()}},
                           {{"energy_joules", {{"value", 3}, {"low", 4}, {"high", 5}}}}};
    for (const Body& body : bodies) {
      const auto printed = print(body);
      ASSERT_FALSE(printed) << body;
      EXPECT_EQ(printed.error().kind, Errc::internal);
      EXPECT_EQ(streams_.data(), "");
    }
  }
  EXPECT_EQ(texts_, 0);
}

}  // namespace
}  // namespace ergon::app
