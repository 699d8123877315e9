#include "predict/network_lessons.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using namespace literals;
using graph::Mode;

// Networks of one operation each, which takes three times as long as physics says. Trees that saw it say so;
// without it they say two and a half times.
class NetworkLessonsTest : public ::testing::Test {
 protected:
  NetworkLessonsTest() {
    for (int i = 0; i < 12; ++i) {
      NetworkSample sample;
      sample.job.network = "net" + std::to_string(i);
      sample.time = Seconds{(1 + i) * 3e-3};
      sample.power = 100_W;
      samples_.push_back(sample);
    }
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      Part part;
      part.settled = samples_[i].time / 3;
      part.settled_power = 100_W;
      part.time_ratio = std::log(3.0);
      part.seen = true;
      Part guessed = part;
      guessed.time_ratio = std::log(2.5);
      guessed.seen = false;
      networks_.push_back({&samples_[i], {part}, {guessed}});
    }
  }

  std::vector<NetworkSample> samples_;
  std::vector<MeasuredNetwork> networks_;
};

TEST_F(NetworkLessonsTest, CorrectionsAreOfKnownOperations) {
  const NetworkLessons lessons = learn_from(networks_, test::roomy(), 1);
  for (const auto& [kind, correction] : lessons.corrections.kinds)
    EXPECT_NEAR(correction.kernels, 0, 0.01) << "their sums are right";
  ASSERT_EQ(lessons.known.size(), samples_.size());
  for (const HeldBack& each : lessons.known) {
    EXPECT_NEAR(each.time_error(), 0, 0.01);
    EXPECT_EQ(each.known_share, 1);
  }
  for (const HeldBack& each : lessons.unknown) {
    EXPECT_NEAR(each.time_error(), -1.0 / 6, 0.01);
    EXPECT_EQ(each.known_share, 0);
  }
}

// The more is believed of guesses that point the right way, the better.
TEST_F(NetworkLessonsTest, TrustIsOfUnknownOnes) {
  EXPECT_EQ(learn_from(networks_, test::roomy(), 1).trust.at(Mode::inference).learned, 1.0);
  for (MeasuredNetwork& each : networks_) each.unknown[0].time_ratio = std::log(3.0) / 0.6;
  EXPECT_EQ(learn_from(networks_, test::roomy(), 1).trust.at(Mode::inference).learned, 0.6)
      << "where they exaggerate, less";
}

TEST_F(NetworkLessonsTest, IntervalsAreThoseOfWhatIsKnown) {
  const NetworkLessons lessons = learn_from(networks_, test::roomy(), 1);
  for (const HeldBack& each : lessons.known) EXPECT_LT(each.widths.time, 0.02);
  for (const HeldBack& each : lessons.unknown) EXPECT_NEAR(each.widths.time, std::log(1.2), 0.02);
}

}  // namespace
}  // namespace ergon::predict
