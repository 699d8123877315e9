#include "command_line.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/version.h"
#include "help.h"

namespace ergon::app {
namespace {

// A command line that nobody can act on.
struct UsageError {
  std::string message;
  std::string help_command;  // what to type for help
};

class CommandLine {
 public:
  CommandLine(const std::vector<Command>& commands, Shell& shell) : commands_(commands), shell_(shell) {
    root_.name("ergon");
    root_.description(
        "Ergon makes neural networks cheap to run: what they cost on an accelerator, what they "
        "would cost elsewhere, and the clock, batch and schedule that cost least.");
    root_.formatter(std::make_shared<HelpFormatter>());
    root_.set_help_flag("--help,-h", "show this help");
    root_.fallthrough();
    root_.add_flag("--json", shell.json, "print one JSON document instead of text");
    root_.add_option("--html", html_, "draw it on a page instead, one file that opens anywhere")
        ->type_name("FILE");
    root_.add_flag("--quiet,-q", shell.quiet, "no progress and no remarks on standard error");
    root_.add_flag("--version", version_, "show the version and how it was built");
    for (const Command& command : commands) declare(root_, command);
  }

  int run(const std::vector<std::string>& words);

 private:
  void declare(CLI::App& parent, const Command& command);
  std::optional<UsageError> unknown_command(const std::vector<std::string>& words) const;
  std::optional<UsageError> parse(const std::vector<std::string>& words, bool& help_shown);
  std::string unexpected(const std::vector<std::string>& words) const;
  const CLI::App& deepest() const;
  std::optional<UsageError> of_a_parent() const;
  std::string mistyped_child(const std::vector<std::string>& words) const;
  Result<int> show_version();
  Result<int> act();

  const std::vector<Command>& commands_;
  Shell& shell_;
  CLI::App root_;
  bool version_ = false;
  std::optional<std::string> html_;
  std::map<const CLI::App*, Action> actions_;
};

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

void CommandLine::declare(CLI::App& parent, const Command& command) {
  CLI::App& app = *parent.add_subcommand(command.name, command.summary);
  app.footer(command.description);
  app.set_help_flag("--help,-h", "show this help");
  app.fallthrough();
  if (command.declare) {
    Options options(app);
    actions_[&app] = command.declare(options);
  }
  for (const Command& child : command.children) declare(app, child);
}

// The parsing library takes a mistyped command for a stray argument; this knows better.
std::optional<UsageError> CommandLine::unknown_command(const std::vector<std::string>& words) const {
  const std::vector<Command>* known = &commands_;
  std::string path = "ergon";
  bool takes_arguments = false;
  bool value_next = false;
  for (const std::string& word : words) {
    if (std::exchange(value_next, word == "--html") || word.starts_with('-')) continue;
    const auto found =
        std::find_if(known->begin(), known->end(), [&](const Command& c) { return c.name == word; });
    if (found == known->end() && takes_arguments) return std::nullopt;
    if (found == known->end()) {
      return UsageError{
          fmt::format("there is no command \"{} {}\"{}", path, word, suggestion(word, names_of(*known))),
          path + " --help"};
    }
    path += " " + word;
    if (found->children.empty()) return std::nullopt;
    known = &found->children;
    takes_arguments = bool(found->declare);
  }
  return std::nullopt;
}

const CLI::App& CommandLine::deepest() const {
  const CLI::App* app = &root_;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::string CommandLine::unexpected(const std::vector<std::string>& words) const {
  const std::string& word = words.front();
  if (!word.starts_with('-')) return fmt::format("\"{}\" is one argument too many", word);
  std::vector<std::string> options;
  for (const CLI::App* app = &deepest(); app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
  }
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option \"{}\"{}", name, suggestion(name, options));
}

// A command that takes an argument takes a mistyped subcommand for it, and then has one argument too many.
std::string CommandLine::mistyped_child(const std::vector<std::string>& words) const {
  std::vector<std::string> children;
  for (const CLI::App* child : deepest().get_subcommands({})) children.push_back(child->get_name());
  for (const std::string& word : words) {
    if (!word.starts_with('-') && !children.empty() && word != deepest().get_name()) {
      if (std::string meant = suggestion(word, children); !meant.empty()) return meant;
    }
  }
  return "";
}

// Options that hold everywhere may stand behind a subcommand; those of the command above it may not.
std::optional<UsageError> CommandLine::of_a_parent() const {
  for (const CLI::App* app = deepest().get_parent(); app != nullptr && app != &root_;
       app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      if (option->count() == 0) continue;
      return UsageError{fmt::format("{} belongs to \"{}\" and means nothing to \"{}\"", option->get_name(),
                                    path_of(*app), path_of(deepest())),
                        path_of(deepest()) + " --help"};
    }
  }
  return std::nullopt;
}

std::optional<UsageError> CommandLine::parse(const std::vector<std::string>& words, bool& help_shown) {
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  std::string message;
  try {
    root_.parse(std::move(reversed));
    return of_a_parent();
  } catch (const CLI::CallForHelp&) {
    help_shown = true;
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    message = unexpected(root_.remaining(true)) + mistyped_child(words);
  } catch (const CLI::RequiredError& error) {
    message = error.what();
  } catch (const CLI::ParseError& error) {
    message = error.what();
    // "--tolerance: 250 Hz is a frequency; --tolerance wants a time" names its option once too often.
    const auto colon = message.find(": ");
    if (colon != std::string::npos && message.find(message.substr(0, colon), colon) != std::string::npos) {
      message.erase(0, colon + 2);
    }
  }
  return UsageError{message, path_of(deepest()) + " --help"};
}

Result<int> CommandLine::show_version() {
  const BuildFacts facts = build_facts();
  if (shell_.json) {
    const nlohmann::ordered_json body = {{"compiler", facts.compiler},
                                         {"build_type", facts.build_type},
                                         {"sanitizers", facts.sanitizers},
                                         {"left_out", facts.left_out}};
    if (auto printed = shell_.print_document("ergon.version/1", {}, body); !printed) return printed.error();
    return kExitDone;
  }
  const std::string left_out =
      facts.left_out.empty() ? "nothing" : fmt::format("{}", fmt::join(facts.left_out, ", "));
  const std::string sanitizers =
      facts.sanitizers.empty() ? "" : fmt::format(", sanitizers {}", facts.sanitizers);
  const auto printed = shell_.print(
      fmt::format("ergon {}\ncommit     {}\ncompiler   {}, {} build{}\nleft out   {}\n", facts.version,
                  facts.commit, facts.compiler, facts.build_type, sanitizers, left_out));
  if (!printed) return printed.error();
  return kExitDone;
}

Result<int> CommandLine::act() {
  if (html_ && version_) {
    if (auto opened = shell_.draw_to(*html_); !opened) return opened.error();
  }
  if (version_) return show_version();
  const auto action = actions_.find(&deepest());
  if (action == actions_.end()) {
    shell_.error("no command was given\n\n" + deepest().help());
    return kExitUsage;
  }
  if (html_) {
    if (auto opened = shell_.draw_to(*html_); !opened) return opened.error();
  }
  auto done = action->second(shell_);
  if (done) {
    if (auto drawn = shell_.check_drawn(); !drawn) return drawn.error();
  }
  // Work that ran to its end before it saw the wish to stop was interrupted all the same.
  if (done && shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  return done;
}

int CommandLine::run(const std::vector<std::string>& words) {
  bool help_shown = false;
  auto usage = unknown_command(words);
  if (!usage) usage = parse(words, help_shown);
  if (usage) {
    shell_.error(usage->message);
    shell_.error(fmt::format("try: {}", usage->help_command));
    return kExitUsage;
  }
  Result<int> done = kExitDone;
  if (help_shown) {
    if (auto printed = shell_.print(deepest().help()); !printed) done = printed.error();
  } else {
    done = act();
  }
  if (const auto flushed = shell_.flush(); done && !flushed) done = flushed.error();
  if (done) return *done;
  shell_.failed(done.error());
  if (!done.error().message.empty()) shell_.error(done.error().message);
  return face(done.error().kind).exit_code;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                     Shell& shell) {
  try {
    return CommandLine(commands, shell).run(words);
  } catch (const std::bad_alloc&) {
    shell.error("there is not enough memory for this");
  } catch (const std::system_error& error) {  // no more threads, say
    shell.error(error.what());
  }
  return kExitFailed;
}

}  // namespace ergon::app
