#include "documentation/man_page.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::app {
namespace {

// Environment variables that users set; docs/ describes each of them in full.
constexpr std::pair<const char*, const char*> kEnvironment[] = {
    {"ERGON_NVML", "NVML library to load instead of libnvidia-ml.so.1, such as the fake one of fake-gpu(1)"},
    {"ERGON_TORCH", "file of libergon_torch.so, which runs networks (default: the installed one)"},
    {"ERGON_PROGRESS", "records: machine-readable progress on standard error"},
    {"ERGON_INPUT_LIMITS", "limits of size and depth of files, such as file=1GiB,depth=256"},
    {"COLUMNS", "width of tables (default: that of the terminal, 80 without one)"},
    {"NO_COLOR", "no bold headings"}};

// A character as roff prints it unchanged.
std::string escaped(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case '`':
      return "\\(ga";
    case '\'':
      return "\\(aq";
    case '"':
      return "\\(dq";
    default:
      return {c};
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += escaped(c);
  return out;
}

// A line of running text. `quoted` words become bold; a line that begins with a dot is no request.
std::string prose(std::string_view text) {
  const bool balanced = std::count(text.begin(), text.end(), '`') % 2 == 0;
  bool bold = false;
  std::string out = text.starts_with('.') ? "\\&" : "";
  for (const char c : text) {
    if (c == '`' && balanced) {
      out += bold ? "\\fR" : "\\fB";
      bold = !bold;
    } else {
      out += escaped(c);
    }
  }
  return out;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

std::string section(const char* title) { return fmt::format(".SH {}\n", title); }

// A term and its description.
std::string item(const std::string& term, std::string_view description) {
  return fmt::format(".TP\n{}\n{}\n", term, prose(description));
}

std::string term_of(const OptionHelp& option) {
  const bool argument = !option.names.front().starts_with('-');
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(argument ? italic(name) : bold(name));
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  if (!option.placeholder.empty()) term += " " + italic(option.placeholder);
  return term;
}

// Whether placeholder and description already name the allowed values.
bool names_all_values(const OptionHelp& option) {
  return option.placeholder.find('|') != std::string::npos ||
         std::all_of(option.values.begin(), option.values.end(), [&](const std::string& value) {
           return option.description.find(value) != std::string::npos;
         });
}

std::string items(const std::vector<OptionHelp>& options) {
  std::string out;
  for (const OptionHelp& option : options) {
    out += item(term_of(option), option.description);
    if (!names_all_values(option))
      out += fmt::format(".br\nOne of {}.\n", prose(fmt::format("{}", fmt::join(option.values, ", "))));
  }
  return out;
}

std::string synopsis(const CommandHelp& command) {
  std::string out = section("SYNOPSIS");
  bool first = true;
  for (const std::string& line : command.usage()) {
    if (!std::exchange(first, false)) out += ".br\n";
    out += bold(command.path) + escaped(line.substr(command.path.size())) + "\n";
  }
  return out;
}

std::string options_section(const CommandHelp& command) {
  std::string out = section("OPTIONS") + items(command.options);
  if (!command.options.empty()) out += ".SS Global options\n";
  return out + items(command.global_options);
}

std::string commands_section(const CommandHelp& command) {
  if (command.children.empty()) return "";
  std::string out = section("COMMANDS");
  for (const CommandHelp& child : command.children)
    out += item(bold(man_page_name(child)) + "(1)", child.summary);
  return out;
}

std::string exit_section() {
  std::string out = section("EXIT STATUS");
  for (const auto& [code, meaning] : kExitCodes) out += item(bold(std::to_string(code)), meaning);
  return out;
}

std::string environment_section() {
  std::string out = section("ENVIRONMENT");
  for (const auto& [name, meaning] : kEnvironment) out += item(bold(name), meaning);
  return out;
}

// The command above this one and the other commands beside it; for the program, all its commands.
std::vector<std::string> related_pages(const CommandHelp& root, const CommandHelp& command) {
  std::vector<std::string> pages;
  for (const CommandHelp& child : command.children) pages.push_back(man_page_name(child));
  if (command.is_root()) return pages;
  const std::string parent = command.path.substr(0, command.path.rfind(' '));
  const CommandHelp* above = &root;
  while (above->path != parent) {
    above = &*std::find_if(above->children.begin(), above->children.end(), [&](const CommandHelp& child) {
      return parent == child.path || parent.starts_with(child.path + " ");
    });
  }
  pages.push_back(man_page_name(*above));
  if (above->is_root()) return pages;
  for (const CommandHelp& sibling : above->children) {
    if (sibling.path != command.path) pages.push_back(man_page_name(sibling));
  }
  return pages;
}

std::string see_also(const CommandHelp& root, const CommandHelp& command) {
  std::vector<std::string> pages = related_pages(root, command);
  if (command.is_root()) pages.emplace_back("fake-gpu");
  std::sort(pages.begin(), pages.end());
  for (std::string& page : pages) page = bold(page) + "(1)";
  return section("SEE ALSO") + fmt::format("{}\n", fmt::join(pages, ",\n")) +
         ".PP\nTerms are defined in docs/glossary.md, in the documentation of Ergon.\n";
}

}  // namespace

std::string man_page_name(const CommandHelp& command) {
  std::string name = command.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CommandHelp& root, const CommandHelp& command, const std::string& version) {
  const std::string name = man_page_name(command);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  const std::string summary = command.is_root() ? "energy of neural networks" : command.summary;
  std::string out = fmt::format(".TH {} 1 \"\" \"Ergon {}\" \"Ergon manual\"\n", escaped(title), version);
  out += section("NAME") + fmt::format("{} \\- {}\n", escaped(name), prose(summary));
  out += synopsis(command);
  out += section("DESCRIPTION") + prose(command.description.empty() ? command.summary : command.description);
  out += "\n";
  out += commands_section(command);
  if (!command.arguments.empty()) out += section("ARGUMENTS") + items(command.arguments);
  out += options_section(command);
  out += exit_section();
  if (command.is_root()) out += environment_section();
  return out + see_also(root, command);
}

}  // namespace ergon::app
