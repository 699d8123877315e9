#include "report/cap_text.h"

#include <sstream>

#include <gtest/gtest.h>

namespace ergon::report {
namespace {

using control::Decision;
using control::Point;

const Hertz kSlowClock{500e6}, kFastClock{1e9};

Decision decision(double at, Point point, Point next, std::string reason) {
  Decision made;
  made.feedback.at = Seconds{at};
  made.feedback.lasted = Seconds{0.5};
  made.feedback.point = point;
  made.feedback.samples = 617;
  made.feedback.power = Watts{244};
  made.feedback.mean_power = Watts{243.2};
  made.feedback.cap = Watts{250};
  made.next = {next, std::move(reason)};
  return made;
}

// Three changes in ten decisions, a hundred times.
CapReport oscillating() {
  CapReport report;
  report.run.controller = "joint";
  report.run.caps.push_back({Seconds{0}, Watts{250}, "constant", Seconds{0.5}, 1});
  for (int i = 0; i < 1000; ++i) {
    const bool changes = i % 10 < 3;
    report.run.decisions.push_back(
        decision(0.5 * (i + 1), {37, kFastClock}, {changes ? 38 : 37, kFastClock},
                 changes ? "243 W: headroom for batch 38 at 1000 MHz at 249 W, throughput +2.3 %"
                         : "243 W: no change"));
  }
  report.summary = control::summary_of(report.run);
  return report;
}

TEST(CapText, FitsIn80Columns) {
  const std::string text = cap_text("title\n", oscillating(), TableStyle{});
  std::istringstream in(text);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(lines, 40);
  EXPECT_NE(text.find("\n... and 980 more decisions, 285 of them changes (--log FILE writes all)\n"),
            std::string::npos)
      << text;
}

TEST(CapText, OmitsThePowerFromTheReason) {
  const std::string text = cap_text("title\n", oscillating(), TableStyle{});
  EXPECT_NE(text.find("1234  headroom for batch 38"), std::string::npos) << text;
  EXPECT_NE(text.find("1234  no change\n"), std::string::npos) << text;
}

TEST(CapText, OmitsTheShareOfTheOracleIfTheCapWasNotHeld) {
  CapReport report = oscillating();
  report.best = control::OraclePoint{{1, kSlowClock}, {Seconds{1}, Watts{100}}, 100};
  EXPECT_NE(cap_text("", report, TableStyle{}).find("% of the oracle"), std::string::npos);
  report.not_held = {"joint cannot hold it"};
  const std::string text = cap_text("", report, TableStyle{});
  EXPECT_EQ(text.find("% of the oracle"), std::string::npos);
  EXPECT_NE(text.find("\nwarning: joint cannot hold it\n"), std::string::npos);
}

TEST(DecisionText, ShowsPowerPointAndThroughput) {
  EXPECT_EQ(decision_text(decision(12.34, {37, Hertz{1.41e9}}, {37, {}}, "")),
            "12.3 s: 243 W of 250 W, batch 37, 1410 MHz, 1234 samples/s");
  Decision silent = decision(1, {4, {}}, {4, {}}, "");
  silent.feedback.power = silent.feedback.mean_power = std::nullopt;
  EXPECT_EQ(decision_text(silent), "1.0 s: ? W of 250 W, batch 4, 1234 samples/s");
}

}  // namespace
}  // namespace ergon::report
