#include "control/caps/awaited_cap.h"

#include <gtest/gtest.h>

#include "base/units_text.h"

namespace ergon::control {
namespace {

using namespace literals;

// Has a cap from a time on, then another one a second later.
class LateCap final : public CapSource {
 public:
  explicit LateCap(Seconds from) : from_(from) {}
  Result<std::optional<CapChange>> poll(Seconds now) override {
    polled.push_back(now);
    if (given_ == 0 && now >= from_) return std::optional(CapChange{Watts{100 + 50.0 * given_++}, "late"});
    if (given_ == 1 && now >= from_ + 1_s)
      return std::optional(CapChange{Watts{100 + 50.0 * given_++}, "late"});
    return std::optional<CapChange>();
  }
  void acknowledge(Watts cap, Seconds) override { acknowledged = cap; }
  void refuse(const std::string& why) override { refused = why; }

  std::vector<Seconds> polled;
  std::optional<Watts> acknowledged;
  std::string refused;

 private:
  Seconds from_;
  int given_ = 0;
};

TEST(AwaitedCap, WaitsForTheFirstCap) {
  ManualClock clock;
  auto late = std::make_unique<LateCap>(3_s);
  LateCap& inner = *late;
  const auto caps = awaited_cap(std::move(late), clock, {}).value();
  EXPECT_NEAR((clock.now() - Instant{}).si(), 3, 0.03);
  const auto first = caps->poll(0_s).value();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->cap, 100_W);
  EXPECT_FALSE(caps->poll(0.5_s).value());
  // The time of the run continues the time of waiting.
  EXPECT_NEAR(inner.polled.back().si(), 3.5, 0.03);
  EXPECT_EQ(caps->poll(1.1_s).value()->cap, 150_W);
  caps->acknowledge(150_W, 0.1_s);
  EXPECT_EQ(inner.acknowledged, 150_W);
  caps->refuse("too low");
  EXPECT_EQ(inner.refused, "too low");
}

TEST(AwaitedCap, StopsOnRequest) {
  ManualClock clock;
  std::stop_source stop;
  stop.request_stop();
  const auto caps = awaited_cap(std::make_unique<LateCap>(3_s), clock, stop.get_token());
  ASSERT_FALSE(caps);
  EXPECT_EQ(caps.error().kind, Errc::cancelled);
}

class FailingCap final : public CapSource {
 public:
  Result<std::optional<CapChange>> poll(Seconds) override { return fail(Errc::io, "no file"); }
};

TEST(AwaitedCap, ReportsErrorsOfTheSource) {
  ManualClock clock;
  EXPECT_EQ(awaited_cap(std::make_unique<FailingCap>(), clock, {}).error().message, "no file");
}

}  // namespace
}  // namespace ergon::control
