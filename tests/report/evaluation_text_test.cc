#include "report/evaluation_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace ergon::report {
namespace {

using sweep::Observations;

struct Sweep {
  std::string network = "resnet50", device = "D";
  int clocks = 8, repetitions = 3;  // from 500 MHz, in steps of 100
};

void add(Observations& to, const Sweep& sweep) {
  for (int i = 0; i < sweep.clocks; ++i) {
    const double mhz = 500 + 100.0 * i;
    for (int k = 0; k < sweep.repetitions; ++k) {
      sweep::Observation run;
      run.network = sweep.network;
      run.device = sweep.device;
      run.scenario = "steady";
      run.batch = 8;
      run.clock = Hertz{mhz * 1e6};
      run.time = Seconds{1200 / mhz * (1 + 0.01 * k)};
      run.power_max = Watts{50 + 0.1 * mhz + 0.5 * std::max(0.0, mhz - 900) + k};
      run.power_mean = *run.power_max * 0.9;
      to.runs.push_back(run);
    }
  }
}

sweep::SweepEvaluation evaluated(const std::vector<Sweep>& sweeps) {
  Observations all;
  for (const Sweep& sweep : sweeps) add(all, sweep);
  return sweep::evaluate(all);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  return lines;
}

// The rows of the table.
std::vector<std::string> rows_of(const std::string& text) {
  const auto lines = lines_of(text);
  auto row =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("---"); });
  if (row == lines.end()) return {};
  const auto end = std::find(++row, lines.end(), "");
  return {row, end};
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

// Text from files must not contain control characters.
void expect_plain(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    ASSERT_TRUE(c == '\n' || (byte >= ' ' && byte != 0x7f)) << static_cast<int>(byte) << " in\n" << text;
  }
}

void expect_no_nan(const std::string& text) {
  for (const char* const word : {"nan", "inf ", "-0.00 "}) EXPECT_FALSE(has(text, word)) << text;
}

TEST(EvaluationText, HasALineForEachNetworkAndTheirMedian) {
  const auto text = evaluation_text(evaluated({{"resnet50"}, {"vgg16"}}), {});
  EXPECT_TRUE(text.starts_with("D, batch 8, steady\n2 networks at up to 8 clocks from 500 to 1200 MHz\n"))
      << text;
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 3U) << text;
  EXPECT_TRUE(rows[0].starts_with("resnet50 "));
  EXPECT_TRUE(rows[1].starts_with("vgg16 "));
  EXPECT_TRUE(rows[2].starts_with("median "));
  for (const auto& row : rows) EXPECT_TRUE(has(row, " 900")) << row;  // the knee
  EXPECT_TRUE(has(text, "48 runs evaluated\n")) << text;
  EXPECT_FALSE(has(text, "simulated"));
  expect_plain(text);
  expect_no_nan(text);
}

TEST(EvaluationText, ClockBoundNetworksHaveASeparateMedian) {
  Observations some;
  add(some, {"resnet50"});
  add(some, {"waits"});
  for (auto& run : some.runs) {
    if (run.network == "waits") run.time = Seconds{2};
  }
  const auto text = evaluation_text(sweep::evaluate(some), {});
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 4U) << text;
  EXPECT_TRUE(rows[2].starts_with("median  ")) << text;
  EXPECT_TRUE(rows[3].starts_with("median, clock-bound ")) << text;
  EXPECT_TRUE(has(text, "clock-bound: 1 of 2 networks")) << text;
  EXPECT_FALSE(has(evaluation_text(evaluated({{"resnet50"}, {"vgg16"}}), {}), "clock-bound"));
}

TEST(EvaluationText, ShowsTheIntervalOfTheBestClock) {
  const auto evaluation = evaluated({{}});
  const auto interval = evaluation.networks[0].energy->interval.value();
  const auto text = evaluation_text(evaluation, {});
  EXPECT_TRUE(has(rows_of(text).at(0),
                  fmt::format("[{:.0f},{:.0f}]", interval.low.si() / 1e6, interval.high.si() / 1e6)))
      << text;
  EXPECT_TRUE(has(text, "do not differ")) << text;
  EXPECT_FALSE(has(evaluation_text(evaluated({{.repetitions = 1}}), {}), "do not differ"));
}

TEST(EvaluationText, OneNetworkHasNoMedian) {
  const auto rows = rows_of(evaluation_text(evaluated({{}}), {}));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].starts_with("resnet50 "));
}

TEST(EvaluationText, ConclusionsAreWrapped) {
  const auto lines = lines_of(evaluation_text(evaluated({{"resnet50"}, {"vgg16"}}), {}));
  for (int question = 1; question <= 4; ++question) {
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& each) {
      return each.starts_with(std::to_string(question) + ". ");
    });
    ASSERT_NE(line, lines.end()) << question;
    EXPECT_TRUE(line->ends_with("?"));
    int below = 0;
    for (++line; line != lines.end() && !line->empty(); ++line, ++below) {
      EXPECT_TRUE(line->starts_with("   ")) << *line;
      EXPECT_LE(line->size(), 80U) << *line;
    }
    EXPECT_GE(below, 1) << question;
  }
}

TEST(EvaluationText, OnlyInvalidRunsAreCountedByTheirReasons) {
  Observations none;
  none.excluded = {{"invalid: clock_refused", 3}, {"no power", 1}};
  const auto evaluation = sweep::evaluate(none);
  const auto text = evaluation_text(evaluation, {});
  EXPECT_TRUE(text.starts_with("No valid run.\n")) << text;
  EXPECT_TRUE(has(text, "4 excluded")) << text;
  EXPECT_TRUE(has(text, "invalid: clock_refused (3)")) << text;
  EXPECT_TRUE(has(text, "no power (1)")) << text;
  EXPECT_TRUE(rows_of(evaluation_points_text(evaluation, {})).empty());
  EXPECT_EQ(evaluation_plot(evaluation, "resnet50").error().kind, Errc::unknown_name);
}

TEST(EvaluationText, ReportsExcludedAndSimulatedRuns) {
  Observations some;
  add(some, {});
  some.excluded["invalid: clock_changed"] = 2;
  some.simulated = true;
  const auto text = evaluation_text(sweep::evaluate(some), {});
  EXPECT_TRUE(has(text, "24 runs evaluated, 2 excluded: invalid: clock_changed (2)\n")) << text;
  EXPECT_TRUE(has(text, "\nSome runs are simulated.\n")) << text;
  some.all_simulated = true;
  EXPECT_TRUE(has(evaluation_text(sweep::evaluate(some), {}), "\nAll runs are simulated.\n"));
}

TEST(EvaluationText, OneRepetitionHasNoCv) {
  const auto evaluation = evaluated({{.repetitions = 1}});
  const auto text = evaluation_text(evaluation, {});
  const auto row = words_of(rows_of(text).at(0));
  EXPECT_EQ(row[1], "-") << text;
  EXPECT_EQ(row[2], "-") << text;
  EXPECT_NE(row[3], "-") << "correlations need no repetitions";
  EXPECT_TRUE(has(text, "resnet50: one repetition: the cv needs at least two\n")) << text;
  EXPECT_TRUE(has(text, "Unknown: ")) << text;
  expect_no_nan(text);
  for (const auto& point : rows_of(evaluation_points_text(evaluation, {})))
    EXPECT_GE(std::count(point.begin(), point.end(), '-'), 4) << point;
}

TEST(EvaluationText, OneRunGivesDashesAndNotes) {
  const auto evaluation = evaluated({{.clocks = 1, .repetitions = 1}});
  const auto text = evaluation_text(evaluation, {});
  const auto row = words_of(rows_of(text).at(0));
  EXPECT_EQ(row, (std::vector<std::string>{"resnet50", "-", "-", "-", "-", "1.00", "-", "-", "-", "-", "-"}))
      << text;
  EXPECT_TRUE(has(text, "1 network at up to 1 clock from 500 to 500 MHz")) << text;
  EXPECT_TRUE(has(text, "1 run evaluated\n")) << text;
  expect_no_nan(text);
  EXPECT_TRUE(evaluation_plot(evaluation, "resnet50"));
}

TEST(EvaluationText, ASharedNoteIsPrintedOnce) {
  std::vector<Sweep> six;
  for (const char* const name : {"a", "b", "c", "d", "e", "f"})
    six.push_back({.network = name, .repetitions = 1});
  const auto all = evaluation_text(evaluated(six), {});
  EXPECT_TRUE(has(all, "\nall networks: one repetition")) << all;
  six.back().repetitions = 2;
  const auto most = evaluation_text(evaluated(six), {});
  EXPECT_TRUE(has(most, "\na, b, c, d and 1 more: one repetition")) << most;
}

TEST(EvaluationText, TitlesNameTheDeviceIfThereAreSeveral) {
  const auto evaluation =
      evaluated({{.device = "H200 GPU-1"}, {.device = "H200 GPU-2"}, {.network = "vgg16"}});
  const auto text = evaluation_text(evaluation, {});
  EXPECT_TRUE(text.starts_with("batch 8, steady\n3 networks")) << "no common device\n" << text;
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0].starts_with("resnet50 on H200 GPU-1 ")) << text;
  EXPECT_TRUE(rows[1].starts_with("resnet50 on H200 GPU-2 ")) << text;
  EXPECT_TRUE(rows[2].starts_with("vgg16  ")) << "unique without the device\n" << text;
  EXPECT_TRUE(has(text, "variance: several devices")) << text;
  const auto points = rows_of(evaluation_points_text(evaluation, {}));
  EXPECT_EQ(points.size(), 24U);
  EXPECT_EQ(std::set<std::string>(points.begin(), points.end()).size(), 24U);
}

TEST(EvaluationText, ControlCharactersInNamesAreReplaced) {
  const std::vector<std::string> names{"two\nlines",
                                       "tab\tand\rreturn",
                                       "\x1b[31mred\x1b[0m",
                                       "Gr\xc3\xb6\xc3\x9f"
                                       "e",
                                       "a,b \"c\" {} %s",
                                       std::string("nul\0byte", 8),
                                       std::string(200, 'n')};
  std::vector<Sweep> sweeps;
  for (const std::string& name : names) sweeps.push_back({.network = name, .device = "dev\x1b[2J\nice"});
  const auto evaluation = evaluated(sweeps);
  const auto text = evaluation_text(evaluation, {});
  expect_plain(text);
  EXPECT_TRUE(text.starts_with("dev?[2J?ice, batch 8"));
  EXPECT_EQ(rows_of(text).size(), names.size() + 1) << text;
  EXPECT_TRUE(has(text,
                  "\nGr\xc3\xb6\xc3\x9f"
                  "e "))
      << text;
  EXPECT_TRUE(has(text, "\na,b \"c\" {} %s ")) << text;
  // Long names are truncated.
  for (const auto& row : rows_of(text)) EXPECT_LT(row.size(), 240U) << row;
  const auto points = evaluation_points_text(evaluation, {});
  expect_plain(points);
  EXPECT_EQ(rows_of(points).size(), names.size() * 8);
  for (const std::string& name : names) {
    const auto drawn = evaluation_plot(evaluation, name);
    ASSERT_TRUE(drawn) << printable(name);
    expect_plain(*drawn);
  }
}

TEST(EvaluationText, ControlCharactersInReasonsAreReplaced) {
  Observations none;
  none.excluded["invalid: \x1b[31m\n"] = 1;
  expect_plain(evaluation_text(sweep::evaluate(none), {}));
}

TEST(EvaluationText, IsBoldOnlyWhereAskedFor) {
  const auto evaluation = evaluated({{}});
  for (const auto& text : {evaluation_text, evaluation_points_text}) {
    EXPECT_FALSE(has(text(evaluation, {}), "\x1b"));
    EXPECT_TRUE(has(text(evaluation, {.bold = true}), "\x1b"));
  }
}

TEST(EvaluationPointsText, HasALineForEachPoint) {
  const auto rows = rows_of(evaluation_points_text(evaluated({{.clocks = 3, .repetitions = 2}}), {}));
  ASSERT_EQ(rows.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto words = words_of(rows[i]);
    EXPECT_EQ(words[0], "resnet50");
    EXPECT_EQ(words[1], std::to_string(500 + 100 * i));
    EXPECT_EQ(words[2], "2");
  }
}

TEST(EvaluationPlot, DrawsPowerAndTime) {
  const auto drawn = evaluation_plot(evaluated({{"resnet50"}, {"vgg16"}}), "vgg16").value();
  EXPECT_TRUE(has(drawn, "vgg16: max power [W]")) << drawn;
  EXPECT_TRUE(has(drawn, "vgg16: time [s]")) << drawn;
  EXPECT_TRUE(has(drawn, "MHz"));
  EXPECT_FALSE(has(drawn, "resnet50"));
}

TEST(EvaluationPlot, AnUnknownNetworkIsAnErrorWithASuggestion) {
  const auto evaluation = evaluated({{"resnet50"}, {"vgg16"}});
  const Error error = evaluation_plot(evaluation, "resnet5").error();
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.message, "--plot: no network \"resnet5\" (did you mean \"resnet50\"?)");
  for (const char* const odd : {"", "\x1b[31m", "transformer\n"}) {
    const Error other = evaluation_plot(evaluation, odd).error();
    EXPECT_EQ(other.kind, Errc::unknown_name);
    EXPECT_FALSE(has(other.message, "did you mean")) << other.message;
    expect_plain(other.message);
    EXPECT_FALSE(has(other.message, "\n"));
  }
}

TEST(EvaluationPlot, AnAmbiguousNameRequiresTheFullTitle) {
  const auto evaluation = evaluated({{.device = "A"}, {.device = "B"}, {.network = "vgg16"}});
  const Error error = evaluation_plot(evaluation, "resnet50").error();
  EXPECT_EQ(error.kind, Errc::invalid_input);
  EXPECT_EQ(error.message,
            "--plot: 2 networks match \"resnet50\"; use a full title, for example \"resnet50 on A\"");
  for (const char* const title : {"resnet50 on A", "resnet50 on B"}) {
    const auto drawn = evaluation_plot(evaluation, title);
    ASSERT_TRUE(drawn) << title;
    EXPECT_TRUE(has(*drawn, std::string(title) + ": time [s]"));
  }
  EXPECT_TRUE(evaluation_plot(evaluation, "vgg16"));
}

// The name of a network may equal the title of another.
TEST(EvaluationPlot, ATitleIsPreferredToAName) {
  const auto evaluation = evaluated({{.network = "a", .device = "A"},
                                     {.network = "a", .device = "B"},
                                     {.network = "a on A", .device = "A", .clocks = 1}});
  EXPECT_TRUE(evaluation_plot(evaluation, "a on A"));
}

}  // namespace
}  // namespace ergon::report
