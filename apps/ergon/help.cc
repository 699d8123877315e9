#include "help.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/wrapped_text.h"

namespace ergon::app {
namespace {

constexpr std::size_t kHelpWidth = 80;
constexpr const char* kDefaultGroup = "Options";  // CLI11's name for options without a group
constexpr std::size_t kMaxTermWidth = 26;         // a longer term is on a line of its own

// One line of a help section: a command, argument or option, and its description.
struct Entry {
  std::string term;
  std::string description;
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

std::string section_text(const std::string& title, const std::vector<OptionHelp>& options) {
  std::vector<Entry> entries;
  for (const OptionHelp& option : options) entries.push_back({option.term(), option.description});
  return section_text(title, entries);
}

std::string section_text(const std::string& title, const std::vector<CommandHelp>& commands) {
  std::vector<Entry> entries;
  for (const CommandHelp& command : commands) entries.push_back({command.name(), command.summary});
  return section_text(title, entries);
}

OptionHelp option_help(const CLI::Option& option) {
  OptionHelp help;
  help.description = option.get_description();
  help.required = option.get_required();
  if (option.get_group() != kDefaultGroup) help.section = option.get_group();
  if (option.get_positional()) {
    help.names = {option.get_name(true)};
    help.repeated = option.get_items_expected_max() > 1;
    return help;
  }
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) help.placeholder = option.get_type_name();
  return help;
}

// Titles of the sections, the section without a title first.
std::vector<std::string> sections_of(const std::vector<OptionHelp>& options) {
  std::vector<std::string> titles = {""};
  for (const OptionHelp& option : options) {
    if (std::find(titles.begin(), titles.end(), option.section) == titles.end())
      titles.push_back(option.section);
  }
  return titles;
}

std::vector<OptionHelp> options_of(const std::vector<OptionHelp>& all, const std::string& section) {
  std::vector<OptionHelp> options;
  for (const OptionHelp& option : all) {
    if (option.section == section) options.push_back(option);
  }
  return options;
}

const CLI::App& root_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app : root_of(*app.get_parent());
}

std::string footer_of(const CommandHelp& command) {
  if (!command.is_root()) return "\nTerms are defined in docs/glossary.md. All commands: ergon --help\n";
  std::vector<std::string> codes;
  for (const auto& [code, meaning] : kExitCodes) codes.push_back(fmt::format("{} {}", code, meaning));
  return "\n" + wrapped("Help on a command: ergon help COMMAND. Terms are defined in docs/glossary.md.") +
         wrapped(fmt::format("Exit codes: {}", fmt::join(codes, ", ")));
}

}  // namespace

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

CommandHelp help_of(const CLI::App& app) {
  const bool root = app.get_parent() == nullptr;
  CommandHelp help;
  help.path = path_of(app);
  help.summary = app.get_description();
  help.description = app.get_footer();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    help.children.push_back(help_of(*command));
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kHiddenGroup) continue;
    if (option->get_positional()) {
      help.arguments.push_back(option_help(*option));
    } else if (root || option == app.get_help_ptr()) {
      help.global_options.push_back(option_help(*option));
    } else {
      help.options.push_back(option_help(*option));
    }
  }
  if (root) return help;
  for (const char* name : {"--json", "--html", "--wide", "--quiet"})
    help.global_options.push_back(option_help(*root_of(app).get_option(name)));
  return help;
}

std::string help_text(const CommandHelp& command) {
  std::string out = wrapped(command.is_root() ? command.summary : command.path + ": " + command.summary);
  if (!command.description.empty()) out += wrapped(command.description);
  out += "\n";
  for (const std::string& line : command.usage()) out += fmt::format("Usage: {}\n", line);
  out += section_text("Commands", command.children);
  out += section_text("Arguments", command.arguments);
  for (const std::string& title : sections_of(command.options))
    out += section_text(title.empty() ? "Options" : title, options_of(command.options, title));
  out += section_text("Global options", command.global_options);
  return out + footer_of(command);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  return help_text(help_of(*app));
}

}  // namespace ergon::app
