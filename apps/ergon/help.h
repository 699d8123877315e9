#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace ergon::app {

// Help that fits a screen of 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace ergon::app
