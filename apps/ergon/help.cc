#include "help.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace ergon::app {
namespace {

constexpr std::size_t kScreen = 80;

struct Entry {
  std::string term;
  std::string meaning;
};

// Words set into lines of the screen's width, those after the first indented.
std::string wrapped(const std::string& text, std::string line = "", std::size_t indent = 0) {
  std::string out;
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && line.size() + 1 + word.size() > kScreen) {
      out += line + "\n";
      line = std::string(indent, ' ');
      first = true;
    }
    line += (first ? "" : " ") + word;
  }
  return out + line + "\n";
}

// Terms on the left, their meanings wrapped beside them.
std::string entries_text(const std::string& title, const std::vector<Entry>& entries) {
  if (entries.empty()) return "";
  std::size_t indent = 0;
  for (const Entry& entry : entries) {
    if (entry.term.size() <= 26) indent = std::max(indent, entry.term.size() + 4);
  }
  std::string out = fmt::format("\n{}:\n", title);
  for (const Entry& entry : entries) {
    std::string line = fmt::format("  {:<{}}", entry.term, indent - 2);
    if (entry.term.size() + 4 > indent) {
      out += line + "\n";
      line = std::string(indent, ' ');
    }
    out += wrapped(entry.meaning, line, indent);
  }
  return out;
}

std::string term_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string term;
  for (const std::string& name : option.get_snames()) term += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) term += "--" + name + ", ";
  term.resize(term.size() - 2);
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty())
    term += " " + option.get_type_name();
  return term;
}

std::string required_options(const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const CLI::Option* option : options) {
    if (option->get_required() && !option->get_positional()) text += " " + term_of(*option);
  }
  return text;
}

}  // namespace

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const auto commands =
      app->get_subcommands([](const CLI::App* child) { return !child->get_name().empty(); });
  const auto own = app->get_options();
  std::vector<Entry> command_entries, arguments, options, everywhere;
  for (const CLI::App* command : commands)
    command_entries.push_back({command->get_name(), command->get_description()});
  std::string argument_words;
  for (const CLI::Option* option : own) {
    const bool help = option == app->get_help_ptr(), folded = option->get_group() == kFoldedGroup;
    if (folded) continue;
    if (option->get_positional()) {
      const std::string word = option->get_name(true) + (option->get_items_expected_max() > 1 ? "..." : "");
      argument_words += option->get_required() ? " " + word : " [" + word + "]";
      arguments.push_back({option->get_name(true), option->get_description()});
    } else if (help || app->get_parent() == nullptr) {
      everywhere.push_back({term_of(*option), option->get_description()});
    } else {
      options.push_back({term_of(*option), option->get_description()});
    }
  }
  if (app->get_parent() != nullptr) {
    const CLI::App* top = app->get_parent();
    while (top->get_parent() != nullptr) top = top->get_parent();
    for (const char* name : {"--json", "--html", "--quiet"}) {
      const CLI::Option* option = top->get_option(name);
      everywhere.push_back({term_of(*option), option->get_description()});
    }
  }

  const bool root = app->get_parent() == nullptr;
  std::string out =
      root ? wrapped(app->get_description()) : wrapped(path_of(*app) + ": " + app->get_description());
  if (!app->get_footer().empty()) out += wrapped(app->get_footer());
  const std::string rest = required_options(own) + (options.empty() ? "" : " [OPTIONS]") + argument_words;
  const bool acts = commands.empty() || !arguments.empty() || !options.empty();
  if (acts) out += fmt::format("\nUsage: {}{}\n", path_of(*app), rest);
  if (!commands.empty()) out += fmt::format("{}Usage: {} COMMAND ...\n", acts ? "" : "\n", path_of(*app));
  out += entries_text("Commands", command_entries);
  out += entries_text("Arguments", arguments);
  out += entries_text("Options", options);
  out += entries_text(root ? "Options" : "Everywhere", everywhere);
  if (root)
    out +=
        "\n" +
        wrapped("Exit codes: 0 done, 1 failed, 2 usage, 3 done but a check did not hold, 130 interrupted.");
  return out;
}

}  // namespace ergon::app
