#include "serve/serve_settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "service/guard.h"

namespace ergon::app {
namespace {

constexpr std::size_t kMinTokenLength = 16;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void ServeSettings::declare(Options& options) {
  options.text("--host", host, "ADDRESS", "address to listen on (default: 127.0.0.1); others need a token");
  options.parsed("--port", "N", "port to listen on (default: 8377); 0: any free port",
                 [this](std::string_view text) -> Result<> {
                   const auto number = parse_int64(text);
                   if (!number || *number < 0 || *number > 65535)
                     return fail(Errc::invalid_input, "--port: \"{}\" is not a number from 0 to 65535",
                                 printable(text));
                   port = static_cast<std::uint64_t>(*number);
                   return {};
                 });
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
  const auto in_header = [](char c) { return c > ' ' && c < 0x7f; };
  if (!std::all_of(token.begin(), token.end(), in_header))
    return fail(Errc::invalid_input, "the token contains characters other than printable ASCII");
  if (!token.empty() && token.size() < kMinTokenLength)
    return fail(Errc::invalid_input, "the token is shorter than {} characters; try: openssl rand -hex 24",
                kMinTokenLength);
  if (token.empty() && !service::is_loopback(host)) {
    return fail(Errc::permission,
                "--host {} needs a token: set --token-file or ERGON_TOKEN, or use 127.0.0.1", host);
  }
  return token;
}

std::filesystem::path ServeSettings::results_folder() const {
  if (results) return *results;
  const std::string data = environment("XDG_DATA_HOME"), home = environment("HOME");
  if (!data.empty()) return std::filesystem::path(data) / "ergon";
  return std::filesystem::path(home.empty() ? "." : home) / ".local/share/ergon";
}

}  // namespace ergon::app
