#include "serve/serve_settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "service/guard.h"

namespace ergon::app {
namespace {

constexpr std::size_t kShortestToken = 16;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void ServeSettings::declare(Options& options) {
  options.text("--host", host, "ADDRESS", "to listen at (127.0.0.1); any other needs a token");
  options.parsed("--port", "N", "to listen at (8377); 0: any that is free",
                 [this](std::string_view text) -> Result<> {
                   const auto number = parse_int64(text);
                   if (!number || *number < 0 || *number > 65535)
                     return fail(Errc::invalid_input, "--port wants a number from 0 to 65535, not \"{}\"",
                                 printable(text));
                   port = static_cast<std::uint64_t>(*number);
                   return {};
                 });
  options.text("--token-file", token_file, "FILE", "a token that requests have to show; or ERGON_TOKEN");
  options.text("--results", results, "DIR", "jobs and documents are kept there (~/.local/share/ergon)");
  options.list("--twin", twins, "D,...",
               "simulated GPUs to show: a30, or a30:resnet50:32 that runs a network");
}

Result<std::string> ServeSettings::token() const {
  std::string token = environment("ERGON_TOKEN");
  if (token_file) {
    auto text = read_file(*token_file);
    if (!text) return text.error();
    token = trim(*text);
    if (token.empty()) return fail(Errc::invalid_input, "{}: there is no token in it", *token_file);
  }
  const auto in_header = [](char c) { return c > ' ' && c < 0x7f; };
  if (!std::all_of(token.begin(), token.end(), in_header))
    return fail(Errc::invalid_input, "a token may hold letters, digits and signs only");
  if (!token.empty() && token.size() < kShortestToken)
    return fail(Errc::invalid_input, "a token needs {} letters or more; `openssl rand -hex 24` makes one",
                kShortestToken);
  if (token.empty() && !service::is_loopback(host)) {
    return fail(
        Errc::permission,
        "{} can be reached by others: give a token (--token-file FILE, or ERGON_TOKEN), or stay on 127.0.0.1",
        host);
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
