#include "serve/serve_settings.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "base/home_folder.h"
#include "base/text.h"
#include "option_parsers.h"
#include "service/token.h"

namespace ergon::app {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<int> parse_port(std::string_view text) {
  const auto number = parse_int64(text);
  if (number && *number >= 0 && *number <= service::kMaxPort) return static_cast<int>(*number);
  return fail(Errc::invalid_input, "--port: \"{}\" is not a number from 0 to {}", printable(text),
              service::kMaxPort);
}

}  // namespace

void ServeSettings::declare(Options& options) {
  options.text("--host", host, "ADDRESS", "address to listen on (default: 127.0.0.1); others need a token");
  options.parsed("--port", "N", fmt::format("port to listen on (default: {}); 0: any free port", port),
                 taking(port, parse_port));
  options.text("--token-file", token_file, "FILE",
               "file with the token that requests must send (default: ERGON_TOKEN)");
  options.text("--results", results, "DIR", "folder of jobs and documents (default: ~/.local/share/ergon)");
  options.list("--twin", twins, "D,...",
               "twins to show: DEVICE[:NETWORK[:BATCH]], for example a30:resnet50:32");
}

Result<std::string> ServeSettings::token() const {
  std::string token = environment("ERGON_TOKEN");
  if (token_file) {
    auto text = read_file(*token_file);
    if (!text) return text.error();
    token = trim(*text);
    if (token.empty()) return fail(Errc::invalid_input, "{}: the file contains no token", *token_file);
  }
  if (auto checked = service::check_token(token, host); !checked) return checked.error();
  return token;
}

Result<std::filesystem::path> ServeSettings::results_folder() const {
  if (results) return std::filesystem::path(*results);
  const std::filesystem::path data = environment("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "ergon";
  if (const auto home = home_folder()) return *home / ".local/share/ergon";
  return fail(Errc::not_found, "no home folder for results; give --results DIR or set HOME");
}

}  // namespace ergon::app
