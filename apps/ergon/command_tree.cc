#include "command_tree.h"

#include <memory>

#include "help.h"

namespace ergon::app {
namespace {

constexpr const char* kDescription =
    "Ergon measures and predicts the time, power and energy of neural networks on GPUs and other "
    "accelerators, and finds the clock, batch size, power limit and schedule that need the least energy.";

void add_values(CommandHelp& help, const CLI::App& app, const CommandTree& tree) {
  for (OptionHelp& option : help.options) {
    const auto found = tree.allowed_values.find(app.get_option(option.names.back()));
    if (found != tree.allowed_values.end()) option.values = found->second;
  }
  for (CommandHelp& child : help.children) add_values(child, *app.get_subcommand(child.name()), tree);
}

}  // namespace

CommandTree::CommandTree(const std::vector<Command>& commands) {
  root.name("ergon");
  root.description(kDescription);
  root.formatter(std::make_shared<HelpFormatter>());
  root.set_help_flag("--help,-h", "show this help");
  root.fallthrough();
  root.add_flag("--json", global.json, "print one JSON document instead of text");
  root.add_option("--html", global.html, "write an HTML report to FILE instead of text")->type_name("FILE");
  root.add_flag("--wide", global.wide, "show all columns; do not wrap text at the terminal's width");
  root.add_flag("--quiet,-q", global.quiet, "no progress and no notes on standard error");
  root.add_flag("--version", global.version, "show the version and the build options");
  for (const Command& command : commands) declare(root, command);
}

void CommandTree::declare(CLI::App& parent, const Command& command) {
  CLI::App& app = *parent.add_subcommand(command.name, command.summary);
  app.footer(command.description);
  app.set_help_flag("--help,-h", "show this help");
  app.fallthrough();
  if (command.declare) {
    Options options(app);
    actions[&app] = command.declare(options);
    renamed[&app] = options.renamed_options();
    for (const auto& [names, values] : options.allowed_values()) {
      // "-i,--input": any of them finds the option.
      allowed_values[app.get_option(names.substr(0, names.find(',')))] = values;
    }
  }
  for (const Command& child : command.children) declare(app, child);
}

CommandHelp help_of(const std::vector<Command>& commands) {
  const CommandTree tree(commands);
  CommandHelp help = help_of(tree.root);
  add_values(help, tree.root, tree);
  return help;
}

}  // namespace ergon::app
