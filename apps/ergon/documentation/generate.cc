// ergon-documentation FOLDER: writes the manual pages (man1/*.1) and the bash completion (completions/ergon)
// of the program into a folder. Runs at build time.

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/file.h"
#include "base/version.h"
#include "command_tree.h"
#include "commands.h"
#include "device/twin/catalog.h"
#include "documentation/bash_completion.h"
#include "documentation/man_page.h"
#include "graph/zoo/zoo.h"
#include "systolic/catalog/catalog.h"

namespace ergon::app {
namespace {

namespace fs = std::filesystem;

// "resnet50" for the first network of that name, "keras/resnet101" for all.
CompletionNames completion_names() {
  CompletionNames names{.networks = {},
                        .devices = device::device_names(),
                        .accelerators = systolic::accelerator_names(),
                        .memories = systolic::memory_names()};
  names.devices.emplace_back("cpu");
  for (const graph::zoo::Entry& entry : graph::zoo::entries()) {
    const auto found = graph::zoo::find(entry.name);
    const bool short_name_suffices = found && *found == &entry;
    names.networks.push_back(short_name_suffices ? entry.name
                                                 : fmt::format("{}/{}", entry.family, entry.name));
  }
  return names;
}

Result<> write_man_pages(const CommandHelp& root, const CommandHelp& command, const fs::path& folder) {
  const fs::path file = folder / (man_page_name(command) + ".1");
  if (auto written = write_file(file, man_page(root, command, std::string(build_facts().version))); !written)
    return written;
  for (const CommandHelp& child : command.children) {
    if (auto written = write_man_pages(root, child, folder); !written) return written;
  }
  return {};
}

Result<> write_documentation(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder / "man1", failed);  // pages of commands that no longer exist
  fs::create_directories(folder / "man1", failed);
  fs::create_directories(folder / "completions", failed);
  const CommandHelp root = help_of(builtin_commands());
  if (auto written = write_man_pages(root, root, folder / "man1"); !written) return written;
  return write_file(folder / "completions" / "ergon", bash_completion(root, completion_names()));
}

}  // namespace
}  // namespace ergon::app

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: ergon-documentation FOLDER\n", stderr);
    return ergon::kExitUsage;
  }
  if (const auto written = ergon::app::write_documentation(argv[1]); !written) {
    std::fprintf(stderr, "ergon-documentation: %s\n", written.error().message.c_str());
    return ergon::kExitFailed;
  }
  return ergon::kExitDone;
}
