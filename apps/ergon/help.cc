#include "help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/wrapped_text.h"

namespace ergon::app {
namespace {

constexpr std::size_t kHelpWidth = 80;
constexpr std::size_t kMaxTermWidth = 26;  // a longer term is on a line of its own

// One line of a help section: a command, argument or option, and its description.
struct Entry {
  std::string term;
  std::string description;
};

struct Sections {
  std::vector<Entry> commands, arguments, options, global_options;
  std::string positional_usage;  // " FILE [OUT]"
};

std::string wrapped(const std::string& text) { return report::wrapped_words(text, kHelpWidth); }

// Terms in the left column, descriptions in the right column.
std::string section_text(const std::string& title, const std::vector<Entry>& entries) {
  if (entries.empty()) return "";
  std::size_t indent = 0;
  for (const Entry& entry : entries) {
    if (entry.term.size() <= kMaxTermWidth) indent = std::max(indent, entry.term.size() + 4);
  }
  std::string out = fmt::format("\n{}:\n", title);
  for (const Entry& entry : entries) {
    std::string line = fmt::format("  {:<{}}", entry.term, std::max<std::size_t>(indent, 2) - 2);
    if (entry.term.size() + 4 > indent) {
      out += line + "\n";
      line = std::string(indent, ' ');
    }
    out += report::wrapped_words(entry.description, kHelpWidth, line, indent);
  }
  return out;
}

// "-q, --quiet", "--html FILE", "FILE".
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

Entry entry_of(const CLI::Option& option) { return {term_of(option), option.get_description()}; }

std::string required_options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required() && !option->get_positional()) text += " " + term_of(*option);
  }
  return text;
}

const CLI::App& root_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app : root_of(*app.get_parent());
}

// An argument in the usage line: " FILE", " [FILE]" or " FILE...".
std::string positional_usage(const CLI::Option& argument) {
  const std::string name = argument.get_name(true) + (argument.get_items_expected_max() > 1 ? "..." : "");
  return argument.get_required() ? " " + name : " [" + name + "]";
}

Sections sections_of(const CLI::App& app) {
  const bool root = app.get_parent() == nullptr;
  Sections sections;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    sections.commands.push_back({command->get_name(), command->get_description()});
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kHiddenGroup) continue;
    if (option->get_positional()) {
      sections.positional_usage += positional_usage(*option);
      sections.arguments.push_back(entry_of(*option));
    } else if (root || option == app.get_help_ptr()) {
      sections.global_options.push_back(entry_of(*option));
    } else {
      sections.options.push_back(entry_of(*option));
    }
  }
  if (root) return sections;
  for (const char* name : {"--json", "--html", "--wide", "--quiet"})
    sections.global_options.push_back(entry_of(*root_of(app).get_option(name)));
  return sections;
}

std::string usage_text(const CLI::App& app, const Sections& sections) {
  const bool has_action =
      sections.commands.empty() || !sections.arguments.empty() || !sections.options.empty();
  std::string out = "\n";
  if (has_action) {
    out += fmt::format("Usage: {}{}{}{}\n", path_of(app), required_options(app),
                       sections.options.empty() ? "" : " [OPTIONS]", sections.positional_usage);
  }
  if (!sections.commands.empty()) out += fmt::format("Usage: {} COMMAND ...\n", path_of(app));
  return out;
}

std::string root_footer() {
  return "\n" + wrapped("Help on a command: ergon help COMMAND. Terms are defined in docs/glossary.md.") +
         wrapped("Exit codes: 0 success, 1 failure, 2 usage error, 3 failed check, 130 interrupted");
}

std::string command_footer() {
  return "\nTerms are defined in docs/glossary.md. All commands: ergon --help\n";
}

}  // namespace

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const bool root = app->get_parent() == nullptr;
  const Sections sections = sections_of(*app);
  std::string out = wrapped(root ? app->get_description() : path_of(*app) + ": " + app->get_description());
  if (!app->get_footer().empty()) out += wrapped(app->get_footer());
  out += usage_text(*app, sections);
  out += section_text("Commands", sections.commands);
  out += section_text("Arguments", sections.arguments);
  out += section_text("Options", sections.options);
  out += section_text("Global options", sections.global_options);
  return out + (root ? root_footer() : command_footer());
}

}  // namespace ergon::app
