// Parsing of options and the messages about mistakes, with small commands in memory.

#include "command_line.h"

#include <array>
#include <cerrno>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "base/errc.h"
#include "graph/cost.h"
#include "profile/run_condition.h"
#include "report/text_table.h"
#include "shell.h"

namespace ergon::app {
namespace {

struct Values {
  std::string network, precision;
  graph::Mode mode = graph::Mode::inference;
  profile::Layout layout = profile::Layout::nchw;
  std::vector<std::string> devices;
  std::vector<graph::Mode> modes;
  std::optional<Watts> power_limit;
  std::optional<double> price;
  double slack = 0;
  bool fast = false;
  bool limit_given = false;
};

// `ergon tune`, with one option of each kind.
Command tune_like_command(Values& values) {
  Command command;
  command.name = "tune";
  command.summary = "find the best operating point";
  command.declare = [&values](Options& options) -> Action {
    options.argument("NET", values.network, "network");
    options.list("--device", values.devices, "D,...", "devices");
    options.require("--device");
    options.positive_quantity("--power-limit", values.power_limit, "power limit");
    options.renamed("--limit", "--power-limit");
    options.alias("--power-limit", "--watts");
    options.enumeration("--mode", values.mode, graph::kModes, "mode");
    options.enumeration("--layout", values.layout, "L",
                        std::array{profile::Layout::nchw, profile::Layout::nhwc}, "layout");
    options.enumeration_list("--modes", values.modes, "M,...", graph::kModes, "modes");
    options.alias("--device", "--devs");
    options.flag("--fast", values.fast, "be fast");
    options.renamed("--quick", "--fast");
    options.alias("--fast", "--rapid");
    options.non_negative_number("--price", values.price, "price");
    options.percentage("--slack", values.slack, {.min = 0, .max = 10, .includes_min = false}, "slack");
    return [&values, limit_given = options.given("--power-limit")](Shell&) -> Result<int> {
      values.limit_given = limit_given();
      return kExitDone;
    };
  };
  return command;
}

Command command_with_action(const std::string& name, Action action) {
  Command command;
  command.name = name;
  command.summary = "prints something";
  command.declare = [action = std::move(action)](Options&) { return action; };
  return command;
}

// A command with an argument, an option and a subcommand.
Command predict_like_command(Values& values) {
  Command command;
  command.name = "predict";
  command.summary = "time, power and energy";
  command.declare = [&values](Options& options) -> Action {
    options.optional_argument("NET", values.network, "network");
    options.flag("--fast", values.fast, "be fast");
    options.quantity("--limit", values.power_limit, "an old name of another command");
    return [](Shell&) -> Result<int> { return kExitDone; };
  };
  command.children.push_back(
      command_with_action("evaluate", [](Shell&) -> Result<int> { return kExitDone; }));
  return command;
}

std::string wide_report(const Shell& shell) {
  report::TextTable table({{"network"}, {"energy"}, {"note", report::Align::left, 1}});
  table.row({"resnet50", "1.2 J", std::string(70, 'x')});
  return "summary   of a report with one line of prose that is longer than eighty columns, twice over\n" +
         table.text(shell.table_style());
}

struct CommandLineTest : testing::Test {
  Values values;
  CapturedStreams streams;
  ManualClock clock;
  std::stop_source stop;
  std::vector<Command> commands{
      tune_like_command(values), predict_like_command(values),
      command_with_action("report",
                          [](Shell& shell) -> Result<int> {
                            if (auto printed = shell.print_report(wide_report(shell)); !printed)
                              return printed.error();
                            return kExitDone;
                          }),
      command_with_action("csv", [](Shell& shell) -> Result<int> {
        if (auto printed = shell.print(std::string(50, 'a') + " " + std::string(50, 'b') + "\n"); !printed)
          return printed.error();
        return kExitDone;
      })};

  int run(const std::vector<std::string>& words) {
    streams = CapturedStreams();
    Shell shell({"ergon"}, clock, stop.get_token(), streams);
    return run_command_line(words, commands, shell);
  }
  // What is printed on standard error for a usage error.
  std::string usage_error(const std::vector<std::string>& words) {
    EXPECT_EQ(run(words), kExitUsage);
    EXPECT_EQ(streams.data(), "");
    return streams.messages();
  }
  // The same without the second line.
  std::string mistake(const std::vector<std::string>& words) {
    const std::string text = usage_error(words);
    const std::string hint = "ergon: try: ergon tune --help\n";
    EXPECT_TRUE(text.ends_with(hint)) << text;
    return text.substr(0, text.size() - std::min(hint.size(), text.size()));
  }
  std::string mistake_in(const std::string& option, const std::string& value) {
    return mistake({"tune", "resnet50", "--device", "h200", option, value});
  }
};

using RenamedOption = CommandLineTest;
using OptionAlias = CommandLineTest;
using UsageErrors = CommandLineTest;
using Choices = CommandLineTest;
using HelpCommand = CommandLineTest;
using Exceptions = CommandLineTest;
using Width = CommandLineTest;

TEST_F(RenamedOption, FailsWithOneLineThatNamesTheNewOption) {
  const std::string expected = "ergon: --limit was renamed to --power-limit\n";
  EXPECT_EQ(usage_error({"tune", "resnet50", "--device", "h200", "--limit", "250W"}), expected);
  EXPECT_EQ(usage_error({"tune", "resnet50", "--device", "h200", "--limit=250W"}), expected);
  EXPECT_EQ(usage_error({"tune", "resnet50", "--device", "h200", "--limit"}), expected);
}

TEST_F(RenamedOption, IsReportedBeforeOtherMistakes) {
  const std::string expected = "ergon: --limit was renamed to --power-limit\n";
  EXPECT_EQ(usage_error({"tune", "--limit", "250W"}), expected);
  EXPECT_EQ(usage_error({"tune", "--limit", "250W", "--foo"}), expected);
  EXPECT_EQ(usage_error({"tune", "--limit", "250W", "--mode", "foo"}), expected);
  EXPECT_EQ(usage_error({"tune", "a", "b", "c", "--limit", "1", "--limit", "2"}), expected);
}

TEST_F(RenamedOption, OfAFlagTakesNoValue) {
  EXPECT_EQ(usage_error({"tune", "--device", "h200", "--quick", "resnet50"}),
            "ergon: --quick was renamed to --fast\n");
}

TEST_F(RenamedOption, IsNotInTheHelpAndNotSuggested) {
  EXPECT_EQ(run({"tune", "--help"}), kExitDone);
  EXPECT_EQ(streams.data().find("--limit"), std::string::npos) << streams.data();
  EXPECT_EQ(mistake({"tune", "--limi", "1"}), "ergon: unknown option \"--limi\"\n");
  EXPECT_EQ(
      usage_error({"predict", "--limi", "1"}),
      "ergon: unknown option \"--limi\" (did you mean \"--limit\"?)\nergon: try: ergon predict --help\n");
}

TEST_F(OptionAlias, SetsTheOption) {
  ASSERT_EQ(run({"tune", "resnet50", "--devs", "a,b", "--watts", "250W", "--rapid"}), kExitDone)
      << streams.messages();
  EXPECT_EQ(values.devices, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(values.power_limit, Watts{250});
  EXPECT_TRUE(values.fast);
  EXPECT_TRUE(values.limit_given);
  EXPECT_EQ(values.network, "resnet50");
}

TEST_F(OptionAlias, AcceptsAnEqualsSignAndReportsTheOption) {
  ASSERT_EQ(run({"tune", "--watts=300W", "resnet50", "--device=h200"}), kExitDone) << streams.messages();
  EXPECT_EQ(values.power_limit, Watts{300});
  EXPECT_EQ(mistake_in("--watts", "250Hz"),
            "ergon: --power-limit: \"250Hz\" is a frequency; expected a power (example: 250W)\n");
}

TEST_F(OptionAlias, IsNotInTheHelp) {
  EXPECT_EQ(run({"tune", "--help"}), kExitDone);
  EXPECT_EQ(streams.data().find("--watts"), std::string::npos) << streams.data();
}

TEST_F(UsageErrors, UnknownOptionsComeBeforeMissingOnes) {
  const std::string expected = "ergon: unknown option \"--devices\" (did you mean \"--device\"?)\n";
  EXPECT_EQ(mistake({"tune", "resnet50", "--devices", "h200"}), expected);
  EXPECT_EQ(mistake({"tune", "--devices", "h200"}), expected);
  EXPECT_EQ(mistake({"tune", "--devices=h200", "resnet50"}), expected);
  EXPECT_EQ(mistake({"tune", "--foo"}), "ergon: unknown option \"--foo\"\n");
  EXPECT_EQ(mistake({"tune", "resnet50", "--device", "h200", "--mode", "foo", "--foo"}),
            "ergon: unknown option \"--foo\"\n");
}

TEST_F(UsageErrors, NameWhatIsMissingOrUnexpected) {
  EXPECT_EQ(mistake({"tune", "resnet50"}), "ergon: --device is required\n");
  EXPECT_EQ(mistake({"tune", "--device", "h200"}), "ergon: NET is required\n");
  EXPECT_EQ(mistake({"tune", "resnet50", "--device", "h200", "x"}), "ergon: unexpected argument \"x\"\n");
  EXPECT_EQ(mistake({"tune", "resnet50", "--device"}), "ergon: --device: missing value\n");
  EXPECT_EQ(mistake({"tune", "resnet50", "--device", "h200", "--mode", "training", "--mode", "training"}),
            "ergon: --mode: may be given only once\n");
  EXPECT_EQ(mistake({"tune", "resnet50", "--device", "h200", "--fast=maybe"}),
            "ergon: --fast: unexpected value \"maybe\"\n");
  EXPECT_EQ(mistake({"tune", "--device", "h200", "--", "resnet50", "x"}),
            "ergon: unexpected argument \"x\"\n");
}

TEST_F(UsageErrors, SuggestCommands) {
  EXPECT_EQ(usage_error({"tun"}),
            "ergon: unknown command \"tun\" (did you mean \"tune\"?)\nergon: try: ergon --help\n");
  EXPECT_EQ(usage_error({"nonsense"}), "ergon: unknown command \"nonsense\"\nergon: try: ergon --help\n");
  EXPECT_EQ(usage_error({"predict", "evalute", "x"}),
            "ergon: unexpected argument \"x\" (did you mean \"evaluate\"?)\n"
            "ergon: try: ergon predict --help\n");
}

TEST_F(UsageErrors, NameTheCommandThatHasTheOption) {
  EXPECT_EQ(usage_error({"predict", "evaluate", "--fast"}),
            "ergon: --fast is an option of \"ergon predict\", not of \"ergon predict evaluate\"\n"
            "ergon: try: ergon predict evaluate --help\n");
}

TEST_F(UsageErrors, MissingCommandShowsTheHelp) {
  const std::string text = usage_error({});
  EXPECT_TRUE(text.starts_with("ergon: missing command\n\nErgon ")) << text;
  EXPECT_NE(text.find("\nUsage: ergon COMMAND ...\n"), std::string::npos) << text;
}

TEST_F(UsageErrors, NameTheOptionOnceAndWhatIsExpected) {
  EXPECT_EQ(mistake_in("--power-limit", "250Hz"),
            "ergon: --power-limit: \"250Hz\" is a frequency; expected a power (example: 250W)\n");
  EXPECT_EQ(mistake_in("--power-limit", "0W"), "ergon: --power-limit: \"0W\" is not above 0\n");
  EXPECT_EQ(mistake_in("--price", "-1"), "ergon: --price: \"-1\" is not a number of 0 or more\n");
  EXPECT_EQ(mistake_in("--slack", "2"), "ergon: --slack: \"2\" is ambiguous; write 2% or 200%\n");
  EXPECT_EQ(mistake_in("--slack", "0%"), "ergon: --slack: \"0%\" is not above 0% and at most 1000%\n");
  EXPECT_EQ(mistake_in("--mode", "foo"), "ergon: --mode: \"foo\" is not one of inference, training\n");
  EXPECT_EQ(mistake_in("--layout", "nhcw"),
            "ergon: --layout: \"nhcw\" is not one of nchw, nhwc (did you mean \"nchw\"?)\n");
  EXPECT_EQ(mistake_in("--modes", "inference,trainig"),
            "ergon: --modes: \"trainig\" is not one of inference, training (did you mean \"training\"?)\n");
}

TEST_F(Choices, IgnoreCaseAndStoreTheAllowedSpelling) {
  ASSERT_EQ(run({"tune", "resnet50", "--device", "h200", "--mode", "Training", "--layout", "NHWC", "--modes",
                 "INFERENCE,training"}),
            kExitDone)
      << streams.messages();
  EXPECT_EQ(values.mode, graph::Mode::training);
  EXPECT_EQ(values.layout, profile::Layout::nhwc);
  EXPECT_EQ(values.modes, (std::vector{graph::Mode::inference, graph::Mode::training}));
}

TEST_F(HelpCommand, PrintsTheSameAsTheHelpOption) {
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{}, {"tune"}, {"predict"}, {"predict", "evaluate"}, {"csv"}}) {
    std::vector<std::string> with_option = path, with_command{"help"};
    with_option.push_back("--help");
    with_command.insert(with_command.end(), path.begin(), path.end());
    EXPECT_EQ(run(with_option), kExitDone);
    const std::string expected = streams.data();
    EXPECT_EQ(run(with_command), kExitDone);
    EXPECT_EQ(streams.data(), expected);
    EXPECT_EQ(streams.messages(), "");
  }
}

TEST_F(HelpCommand, SuggestsForUnknownCommands) {
  EXPECT_EQ(usage_error({"help", "tuen"}),
            "ergon: unknown command \"tuen\" (did you mean \"tune\"?)\nergon: try: ergon --help\n");
  EXPECT_EQ(usage_error({"help", "predict", "evalute"}),
            "ergon: unknown command \"evalute\" (did you mean \"evaluate\"?)\n"
            "ergon: try: ergon predict --help\n");
  EXPECT_EQ(usage_error({"help", "nonsense"}),
            "ergon: unknown command \"nonsense\"\nergon: try: ergon --help\n");
}

TEST_F(HelpCommand, WinsOverMissingAndUnknownOptions) {
  EXPECT_EQ(run({"tune", "--help"}), kExitDone);
  EXPECT_EQ(run({"tune", "--foo", "--help"}), kExitDone);
}

TEST_F(Exceptions, AreFailuresWithAMessage) {
  const auto throwing = [](auto exception) {
    return command_with_action("throw", [exception](Shell& shell) -> Result<int> {
      EXPECT_TRUE(shell.print("printed before\n"));
      throw exception;
    });
  };
  const auto message_of = [&](Command command) {
    commands = {std::move(command)};
    EXPECT_EQ(run({"throw"}), kExitFailed);
    EXPECT_EQ(streams.data(), "printed before\n");
    return streams.messages();
  };
  constexpr const char* kAdvice =
      "; this is a defect of Ergon, please report the command and `ergon --version`\n";
  EXPECT_EQ(message_of(throwing(std::bad_alloc())), "ergon: out of memory\n");
  EXPECT_EQ(message_of(throwing(std::system_error(EAGAIN, std::generic_category(), "thread"))),
            "ergon: thread: Resource temporarily unavailable\n");
  EXPECT_EQ(message_of(throwing(std::out_of_range("index 3"))),
            std::string("ergon: internal error: index 3") + kAdvice);
  EXPECT_EQ(message_of(throwing(42)), std::string("ergon: internal error: unknown exception") + kAdvice);
}

TEST_F(Width, ReportsFitEightyColumnsWhenPiped) {
  ASSERT_EQ(run({"report"}), kExitDone);
  EXPECT_EQ(streams.data(),
            "summary   of a report with one line of prose that is longer than eighty columns,\n"
            "          twice over\n"
            "network   energy\n"
            "--------  ------\n"
            "resnet50  1.2 J\n"
            "(not shown: note; --wide shows all columns)\n");
}

TEST_F(Width, IsUnlimitedWithTheWideOption) {
  ASSERT_EQ(run({"report", "--wide"}), kExitDone);
  EXPECT_NE(streams.data().find("columns, twice over\n"), std::string::npos);
  EXPECT_NE(streams.data().find(std::string(70, 'x')), std::string::npos);
  EXPECT_EQ(streams.data().find("not shown"), std::string::npos);
}

TEST_F(Width, DoesNotChangeData) {
  ASSERT_EQ(run({"csv"}), kExitDone);
  EXPECT_EQ(streams.data(), std::string(50, 'a') + " " + std::string(50, 'b') + "\n");
}

}  // namespace
}  // namespace ergon::app
