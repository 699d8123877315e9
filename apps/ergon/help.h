#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace ergon::app {

// The group of options that a command's help leaves out. The library's own way to hide an option takes its
// name out of error messages, too.
inline constexpr const char* kFoldedGroup = "folded";

// A command as it is typed: "ergon sweep evaluate".
std::string path_of(const CLI::App& app);

// Help that fits a screen of 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace ergon::app
