#include "command_line.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_limits.h"
#include "base/internal_error.h"
#include "base/text.h"
#include "base/version.h"
#include "command_tree.h"
#include "help.h"

namespace ergon::app {
namespace {

// A command line that cannot be run.
struct UsageError {
  std::string message;
  std::string help_command = {};  // what to type for help; "" if the message suffices
};

// What a command line requests.
struct Request {
  const CLI::App* help_of = nullptr;  // print this command's help
};

class CommandLine {
 public:
  CommandLine(const std::vector<Command>& commands, Shell& shell)
      : commands_(commands), shell_(shell), tree_(commands) {}

  int run(const std::vector<std::string>& words);
  Result<> check(const std::vector<std::string>& words);

 private:
  using Parsed = std::variant<Request, UsageError>;

  Parsed parse(const std::vector<std::string>& words);
  Parsed parse_help_command(const std::vector<std::string>& words) const;
  Parsed parse_options(const std::vector<std::string>& words);
  std::optional<UsageError> find_unknown_command(const std::vector<std::string>& words) const;
  std::optional<UsageError> find_renamed_option() const;
  std::optional<UsageError> find_unknown_option() const;
  std::optional<UsageError> find_option_of_parent() const;
  std::string unexpected_argument(const std::vector<std::string>& words) const;
  std::string child_suggestion(const std::vector<std::string>& words) const;
  std::vector<std::string> remaining_words() const;
  std::vector<std::string> option_names() const;
  bool is_renamed(const std::string& name) const;
  const CLI::App& deepest() const;
  std::string help_command() const { return path_of(deepest()) + " --help"; }

  Result<int> print_help(const CLI::App& app);
  Result<int> show_version();
  Result<int> run_action();

  const std::vector<Command>& commands_;
  Shell& shell_;
  CommandTree tree_;
};

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> names;
  for (const CLI::App* app : apps) names.push_back(app->get_name());
  return names;
}

std::vector<const CLI::App*> children_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

bool is_option(const std::string& word) { return word.starts_with('-'); }

std::string unknown_command_message(const std::string& word, const std::vector<std::string>& known) {
  return fmt::format("unknown command \"{}\"{}", printable(word), suggestion(word, known));
}

// CLI11 reports "OPTION: MESSAGE". Messages of parse_quantity begin with the option, too.
std::string without_repeated_option(const std::string& message) {
  const auto colon = message.find(": ");
  if (colon == std::string::npos) return message;
  const std::string option = message.substr(0, colon), rest = message.substr(colon + 2);
  return rest.starts_with(option + ":") || rest.starts_with(option + " ") ? rest : message;
}

// CLI11's texts: "--device: 1 required D missing", "--device: expected at most 1 argument but got 2".
std::string mismatch_message(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  return text.ends_with(" missing") ? option + ": missing value" : option + ": may be given only once";
}

// CLI11's text: "Could not convert: --json = maybe".
std::string conversion_message(const CLI::ConversionError& error) {
  std::string text = error.what();
  const auto option = text.find("--");
  const auto value = text.find(" = ");
  if (option == std::string::npos || value == std::string::npos || value < option) return text;
  return fmt::format("{}: unexpected value \"{}\"", text.substr(option, value - option),
                     printable(text.substr(value + 3)));
}

const CLI::App& CommandLine::deepest() const {
  const CLI::App* app = &tree_.root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

// CLI11 would report a mistyped command as an unexpected argument.
std::optional<UsageError> CommandLine::find_unknown_command(const std::vector<std::string>& words) const {
  const std::vector<Command>* known = &commands_;
  std::string path = "ergon";
  bool takes_arguments = false;
  bool is_value = false;
  for (const std::string& word : words) {
    if (std::exchange(is_value, word == "--html") || is_option(word)) continue;
    const auto found =
        std::find_if(known->begin(), known->end(), [&](const Command& c) { return c.name == word; });
    if (found == known->end() && takes_arguments) return std::nullopt;
    if (found == known->end())
      return UsageError{unknown_command_message(word, names_of(*known)), path + " --help"};
    path += " " + word;
    if (found->children.empty()) return std::nullopt;
    known = &found->children;
    takes_arguments = bool(found->declare);
  }
  return std::nullopt;
}

std::optional<UsageError> CommandLine::find_renamed_option() const {
  const auto found = tree_.renamed.find(&deepest());
  if (found == tree_.renamed.end()) return std::nullopt;
  for (const Options::Renamed& renamed : found->second) {
    if (deepest().get_option(renamed.old_name)->count() > 0)
      return UsageError{fmt::format("{} was renamed to {}", renamed.old_name, renamed.new_name)};
  }
  return std::nullopt;
}

bool CommandLine::is_renamed(const std::string& name) const {
  const auto found = tree_.renamed.find(&deepest());
  if (found == tree_.renamed.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [&](const Options::Renamed& renamed) { return renamed.old_name == name; });
}

// Options that the command accepts, its own and global ones.
std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const CLI::App* app : {&deepest(), &tree_.root}) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& long_name : option->get_lnames()) {
        if (const std::string name = "--" + long_name; !is_renamed(name)) names.push_back(name);
      }
    }
  }
  return names;
}

// Words that no option and no argument accepted.
std::vector<std::string> CommandLine::remaining_words() const {
  std::vector<std::string> words = tree_.root.remaining(true);
  words.erase(std::remove(words.begin(), words.end(), "--"), words.end());
  return words;
}

std::optional<UsageError> CommandLine::find_unknown_option() const {
  for (const std::string& word : remaining_words()) {
    if (!is_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    return UsageError{
        fmt::format("unknown option \"{}\"{}", printable(name), suggestion(name, option_names())),
        help_command()};
  }
  return std::nullopt;
}

// Global options are accepted after a subcommand; options of the command above it are not.
std::optional<UsageError> CommandLine::find_option_of_parent() const {
  for (const CLI::App* app = deepest().get_parent(); app != nullptr && app != &tree_.root;
       app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      if (option->count() == 0) continue;
      return UsageError{fmt::format("{} is an option of \"{}\", not of \"{}\"", option->get_name(),
                                    path_of(*app), path_of(deepest())),
                        help_command()};
    }
  }
  return std::nullopt;
}

// A command that takes an argument takes a mistyped subcommand for its argument, and the next word is
// unexpected.
std::string CommandLine::child_suggestion(const std::vector<std::string>& words) const {
  const std::vector<std::string> children = names_of(children_of(deepest()));
  for (const std::string& word : words) {
    if (is_option(word) || word == deepest().get_name()) continue;
    if (std::string text = suggestion(word, children); !text.empty()) return text;
  }
  return "";
}

std::string CommandLine::unexpected_argument(const std::vector<std::string>& words) const {
  const std::vector<std::string> remaining = remaining_words();
  const std::string first = remaining.empty() ? "--" : remaining.front();
  return fmt::format("unexpected argument \"{}\"{}", printable(first), child_suggestion(words));
}

// Errors in the order in which a user should fix them: renamed options, unknown options, then values, missing
// options and arguments.
CommandLine::Parsed CommandLine::parse_options(const std::vector<std::string>& words) {
  std::string message;
  try {
    tree_.root.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return Request{.help_of = &deepest()};
  } catch (const CLI::ExtrasError&) {
    message = unexpected_argument(words);
  } catch (const CLI::ArgumentMismatch& error) {
    message = mismatch_message(error);
  } catch (const CLI::ConversionError& error) {
    message = conversion_message(error);
  } catch (const CLI::ParseError& error) {
    message = without_repeated_option(error.what());
  }
  if (auto error = find_renamed_option()) return *std::move(error);
  if (auto error = find_unknown_option()) return *std::move(error);
  if (!message.empty()) return UsageError{message, help_command()};
  if (auto error = find_option_of_parent()) return *std::move(error);
  return Request{};
}

// `ergon help COMMAND [SUBCOMMAND]`.
CommandLine::Parsed CommandLine::parse_help_command(const std::vector<std::string>& words) const {
  const CLI::App* app = &tree_.root;
  for (const std::string& word : words) {
    if (is_option(word)) continue;
    const auto children = children_of(*app);
    const auto child = std::find_if(children.begin(), children.end(),
                                    [&](const CLI::App* c) { return c->get_name() == word; });
    if (child == children.end())
      return UsageError{unknown_command_message(word, names_of(children)), path_of(*app) + " --help"};
    app = *child;
  }
  return Request{.help_of = app};
}

CommandLine::Parsed CommandLine::parse(const std::vector<std::string>& words) {
  if (!words.empty() && words.front() == "help") return parse_help_command({words.begin() + 1, words.end()});
  if (auto error = find_unknown_command(words)) return *std::move(error);
  return parse_options(words);
}

Result<int> CommandLine::print_help(const CLI::App& app) {
  if (auto printed = shell_.print(app.help()); !printed) return printed.error();
  return kExitDone;
}

Result<int> CommandLine::show_version() {
  const BuildFacts facts = build_facts();
  if (shell_.json) {
    const nlohmann::ordered_json body = {{"compiler", facts.compiler},
                                         {"build_type", facts.build_type},
                                         {"sanitizers", facts.sanitizers},
                                         {"disabled_features", facts.disabled_features}};
    if (auto printed = shell_.print_document("ergon.version/2", {}, body); !printed) return printed.error();
    return kExitDone;
  }
  const std::string disabled =
      facts.disabled_features.empty() ? "none" : fmt::format("{}", fmt::join(facts.disabled_features, ", "));
  const std::string sanitizers =
      facts.sanitizers.empty() ? "" : fmt::format(", sanitizers {}", facts.sanitizers);
  const auto printed = shell_.print_report(
      fmt::format("ergon {}\ncommit     {}\ncompiler   {}, {} build{}\ndisabled   {}\n", facts.version,
                  facts.commit, facts.compiler, facts.build_type, sanitizers, disabled));
  if (!printed) return printed.error();
  return kExitDone;
}

Result<int> CommandLine::run_action() {
  const auto action = tree_.actions.find(&deepest());
  if (!tree_.global.version && action == tree_.actions.end()) {
    shell_.error("missing command\n\n" + deepest().help());
    return kExitUsage;
  }
  if (tree_.global.html) {
    if (auto opened = shell_.open_html(*tree_.global.html); !opened) return opened.error();
  }
  if (tree_.global.version) return show_version();
  auto exit_code = action->second(shell_);
  if (!exit_code) return exit_code;
  if (auto written = shell_.check_html_written(); !written) return written.error();
  // A command that finished before it noticed the stop request was interrupted, too.
  if (shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  return exit_code;
}

int CommandLine::run(const std::vector<std::string>& words) {
  const Parsed parsed = parse(words);
  shell_.json = shell_.json || tree_.global.json;
  shell_.wide = shell_.wide || tree_.global.wide;
  shell_.quiet = shell_.quiet || tree_.global.quiet;
  if (const auto* usage = std::get_if<UsageError>(&parsed)) {
    shell_.error(usage->message);
    if (!usage->help_command.empty()) shell_.error(fmt::format("try: {}", usage->help_command));
    return kExitUsage;
  }
  if (const auto limits = environment_input_limits(); !limits) {
    shell_.error(limits.error().message);
    return kExitUsage;
  }
  const CLI::App* const described = std::get<Request>(parsed).help_of;
  Result<int> exit_code = described != nullptr ? print_help(*described) : run_action();
  if (const auto finished = shell_.finish(); exit_code && !finished) exit_code = finished.error();
  if (exit_code) return *exit_code;
  shell_.set_failure(exit_code.error());
  if (exit_code.error().message.empty() && shell_.reader_closed()) return kExitOutputClosed;
  if (!exit_code.error().message.empty()) shell_.error(exit_code.error().message);
  return mapping_of(exit_code.error().kind).exit_code;
}

Result<> CommandLine::check(const std::vector<std::string>& words) {
  const Parsed parsed = parse(words);
  const auto* usage = std::get_if<UsageError>(&parsed);
  return usage == nullptr ? Result<>() : fail(Errc::invalid_input, "{}", usage->message);
}

// The exception that is being handled, as an error.
Error error_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return Error{Errc::out_of_memory, "out of memory"};
  } catch (const std::system_error& error) {  // for example, no more threads
    return Error{Errc::io, error.what()};
  } catch (const std::exception& error) {
    return internal_error("{}", error.what());
  } catch (...) {
    return internal_error("unknown exception");
  }
}

// Reports the exception that is being handled. Returns the exit code.
int report_exception(Shell& shell) noexcept {
  try {
    static_cast<void>(shell.finish());  // prints what was computed before
    const Error error = error_of_exception();
    shell.set_failure(error);
    shell.error(error.message);
  } catch (...) {  // no memory for the message
    shell.show("ergon: out of memory\n");
  }
  return kExitFailed;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                     Shell& shell) {
  try {
    return CommandLine(commands, shell).run(words);
  } catch (...) {
    return report_exception(shell);
  }
}

Result<> check_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                            Shell& shell) {
  try {
    return CommandLine(commands, shell).check(words);
  } catch (...) {
    return error_of_exception();
  }
}

}  // namespace ergon::app
