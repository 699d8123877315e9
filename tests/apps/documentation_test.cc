// Manual pages and completion have everything that the help has. Both are checked with the programs that read
// them: groff and bash.

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "command_tree.h"
#include "commands.h"
#include "documentation/bash_completion.h"
#include "documentation/man_page.h"
#include "help.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

const CommandHelp& program() {
  static const CommandHelp help = help_of(builtin_commands());
  return help;
}

void collect(const CommandHelp& command, std::vector<const CommandHelp*>& all) {
  all.push_back(&command);
  for (const CommandHelp& child : command.children) collect(child, all);
}

std::vector<const CommandHelp*> all_commands() {
  std::vector<const CommandHelp*> all;
  collect(program(), all);
  return all;
}

// "--device", "-q": what begins the lines of options in the text of the help.
std::set<std::string> options_in_help(const CommandHelp& command) {
  static const std::regex line(R"((^|\n)  (-[^ ,]*(, --[^ ]*)?))");
  static const std::regex name("--?[a-z][a-z-]*");
  const std::string text = help_text(command);
  std::set<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), line), end; found != end; ++found) {
    const std::string terms = (*found)[2];
    for (std::sregex_iterator each(terms.begin(), terms.end(), name); each != end; ++each)
      names.insert(each->str());
  }
  return names;
}

std::string roff(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

TEST(ManPage, HasEveryOptionAndArgumentOfTheHelp) {
  std::size_t options = 0;
  for (const CommandHelp* command : all_commands()) {
    const std::string page = man_page(program(), *command, "0.0.0");
    const auto names = options_in_help(*command);
    EXPECT_TRUE(names.contains("--help")) << command->path;
    for (const std::string& name : names) {
      ++options;
      EXPECT_NE(page.find("\\fB" + roff(name) + "\\fR"), std::string::npos) << command->path << " " << name;
    }
    for (const OptionHelp& argument : command->arguments)
      EXPECT_NE(page.find("\\fI" + argument.names.front() + "\\fR"), std::string::npos) << command->path;
    for (const CommandHelp& child : command->children)
      EXPECT_NE(page.find(roff(man_page_name(child)) + "\\fR(1)"), std::string::npos) << child.path;
  }
  EXPECT_GT(options, 400u);
}

TEST(ManPage, EscapesWhatRoffInterprets) {
  CommandHelp command{.path = "ergon x", .summary = "a summary", .description = ".dots, `ergon y` and C:\\n"};
  command.options.push_back({.names = {"--time-zone"}, .placeholder = "Z", .description = "Z's \"zone\""});
  command.options.back().values = {"utc", "local"};
  const CommandHelp root{.path = "ergon", .children = {command}};
  const std::string page = man_page(root, command, "1.2.3");
  EXPECT_TRUE(page.starts_with(".TH ERGON\\-X 1 \"\" \"Ergon 1.2.3\" \"Ergon manual\"\n")) << page;
  EXPECT_NE(page.find("ergon\\-x \\- a summary\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\\&.dots, \\fBergon y\\fR and C:\\en\n"), std::string::npos) << page;
  EXPECT_NE(
      page.find(".TP\n\\fB\\-\\-time\\-zone\\fR \\fIZ\\fR\nZ\\(aqs \\(dqzone\\(dq\n.br\nOne of utc, local."),
      std::string::npos)
      << page;
}

TEST(ManPage, IsCleanForGroff) {
  if (test::run_shell("command -v groff").exit_code != 0) GTEST_SKIP() << "groff is not installed";
  const test::TemporaryFolder folder;
  for (const CommandHelp* command : all_commands()) {
    const auto file = folder / (man_page_name(*command) + ".1");
    ASSERT_TRUE(write_file(file, man_page(program(), *command, "0.0.0")));
  }
  const auto ran = test::run_shell("groff -man -ww -z *.1 " ERGON_REPOSITORY "/packaging/fake-gpu.1",
                                   folder.path().string(), {}, true);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, "");
}

TEST(ManPage, OfFakeGpuHasItsCommands) {
  const auto page = read_file(ERGON_REPOSITORY "/packaging/fake-gpu.1");
  ASSERT_TRUE(page);
  const auto help = test::run_shell(ERGON_PROGRAMS "/fake-gpu --help");
  static const std::regex line(R"(\n  (--)?([a-z]+)[, ])");
  int terms = 0;
  for (std::sregex_iterator found(help.out.begin(), help.out.end(), line), end; found != end;
       ++found, ++terms)
    EXPECT_NE(page->find("\\fB" + roff((*found)[1].str() + (*found)[2].str()) + "\\fR"), std::string::npos)
        << found->str();
  EXPECT_GE(terms, 6) << help.out;
}

// Completes the last word of a line as bash does when the tab key is pressed.
struct BashCompletion : testing::Test {
  test::TemporaryFolder folder;
  const std::string script =
      bash_completion(program(), {.networks = {"resnet18", "resnet50", "keras/resnet50"},
                                  .devices = {"a30", "h200"},
                                  .accelerators = {"edge-tpu"},
                                  .memories = {"lpddr4"}});

  std::vector<std::string> complete(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += fmt::format(" '{}'", word);
    EXPECT_TRUE(write_file(folder / "run", fmt::format("{}\nCOMP_WORDS=({}) COMP_CWORD={}\n_ergon\n"
                                                       "printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                                                       script, line, words.size() - 1)));
    const auto ran = test::run_shell("cd work && bash --norc ../run", folder.path().string());
    EXPECT_EQ(ran.err, "");
    std::vector<std::string> found;
    for (const std::string_view each : split(ran.out, '\n')) {
      if (!each.empty()) found.emplace_back(each);
    }
    return found;
  }

  void SetUp() override {
    std::filesystem::create_directories(folder / "work/runs");
    ASSERT_TRUE(write_file(folder / "work/model.json", ""));
    ASSERT_TRUE(write_file(folder / "work/my network.onnx", ""));
  }
};

using Words = std::vector<std::string>;

TEST_F(BashCompletion, CompletesCommands) {
  EXPECT_EQ(complete({"ergon", "tu"}), Words{"tune"});
  EXPECT_EQ(complete({"ergon", "--quiet", "tu"}), Words{"tune"});
  EXPECT_EQ(complete({"ergon", "fleet", ""}), (Words{"analyze", "merge", "generate"}));
  EXPECT_EQ(complete({"ergon", "help", "roof"}), Words{"roofline"});
  EXPECT_EQ(complete({"ergon", "nonsense", ""}), Words{});
}

TEST_F(BashCompletion, CompletesOptions) {
  EXPECT_EQ(complete({"ergon", "tune", "--dev"}), Words{"--device"});
  EXPECT_EQ(complete({"ergon", "tune", "resnet50", "--batch", "8", "--max-l"}), Words{"--max-latency"});
  EXPECT_EQ(complete({"ergon", "--vers"}), Words{"--version"});
  EXPECT_EQ(complete({"ergon", "tune", "--limit"}), Words{}) << "an old name";
}

TEST_F(BashCompletion, CompletesValues) {
  EXPECT_EQ(complete({"ergon", "tune", "--precision", "f"}), (Words{"fp32", "fp16"}));
  EXPECT_EQ(complete({"ergon", "tune", "--precision", "=", "bf"}), Words{"bf16"});
  EXPECT_EQ(complete({"ergon", "tune", "--precision", "="}), (Words{"fp32", "tf32", "bf16", "fp16"}));
  EXPECT_EQ(complete({"ergon", "tune", "--device", "h"}), Words{"h200"});
  EXPECT_EQ(complete({"ergon", "tune", "--device", "a30,h"}), Words{"a30,h200"});
  EXPECT_EQ(complete({"ergon", "simulate", "--accelerator", "edge"}), Words{"edge-tpu"});
  EXPECT_EQ(complete({"ergon", "simulate", "--memory", "lp"}), Words{"lpddr4"});
  EXPECT_EQ(complete({"ergon", "tune", "--max-latency", ""}), Words{});
}

TEST_F(BashCompletion, CompletesArguments) {
  EXPECT_EQ(complete({"ergon", "tune", "resnet5"}), Words{"resnet50"});
  EXPECT_EQ(complete({"ergon", "tune", "--device", "h200", "keras/"}), Words{"keras/resnet50"});
  EXPECT_EQ(complete({"ergon", "tune", "my"}), Words{"my network.onnx"});
  EXPECT_EQ(complete({"ergon", "tune", "resnet50", ""}), Words{}) << "one network only";
  EXPECT_EQ(complete({"ergon", "export", "resnet50", "mo"}), Words{"model.json"});
  EXPECT_EQ(complete({"ergon", "report", "a.json", "b.json", "mo"}), Words{"model.json"});
}

TEST_F(BashCompletion, CompletesFilesAndFolders) {
  EXPECT_EQ(complete({"ergon", "tune", "--model", "mo"}), Words{"model.json"});
  EXPECT_EQ(complete({"ergon", "profile", "--out", ""}), Words{"runs"});
  EXPECT_EQ(complete({"ergon", "tune", "--html", "mo"}), Words{"model.json"});
}

TEST_F(BashCompletion, HasEveryOptionOfTheHelp) {
  for (const CommandHelp* command : all_commands()) {
    const std::string begin = fmt::format("    '{}') commands='", command->path);
    const auto at = script.find(begin);
    ASSERT_NE(at, std::string::npos) << command->path;
    const std::string line = script.substr(at, script.find('\n', at) - at);
    for (const std::string& name : options_in_help(*command))
      EXPECT_TRUE(std::regex_search(line, std::regex("[ ']" + name + "[ ']")))
          << command->path << " " << name;
  }
}

}  // namespace
}  // namespace ergon::app
