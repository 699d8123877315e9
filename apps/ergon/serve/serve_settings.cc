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
  options.text("--host", host, "ADDRESS", "address to listen on (default: 127.0.0.1)");
  options.parsed("--port", "N", fmt::format("port to listen on (default: {}); 0: any free port", port),
                 taking(port, parse_port));
  options.text(
      "--token-file", token_file, "FILE",
      "file with the token that requests must send (default: ERGON_TOKEN, else a token that is created "
      "and stored in the folder of results)");
  options.flag("--no-token", no_token, "no token: any local user can start jobs");
  options.text("--tls-certificate", tls_certificate, "FILE", "certificate and its chain (PEM), for https");
  options.text("--tls-key", tls_key, "FILE", "private key of the certificate (PEM)");
  options.text("--results", results, "DIR", "folder of jobs and documents (default: ~/.local/share/ergon)");
  options.list("--twin", twins, "D,...",
               "twins to show: DEVICE[:NETWORK[:BATCH]], for example a30:resnet50:32");
  job_limits.declare(options);
}

Result<AccessToken> ServeSettings::token(const std::filesystem::path& results_folder) const {
  AccessToken token{.text = environment("ERGON_TOKEN")};
  if (no_token && (token_file || !token.text.empty()))
    return fail(Errc::invalid_input, "--no-token excludes --token-file and ERGON_TOKEN");
  if (token_file) {
    auto text = read_file(*token_file);
    if (!text) return text.error();
    token.text = trim(*text);
    if (token.text.empty()) return fail(Errc::invalid_input, "{}: the file contains no token", *token_file);
  } else if (token.text.empty() && !no_token) {
    token.file = results_folder / "token";
    auto stored = service::stored_token(*token.file);
    if (!stored) return stored.error();
    token.text = *stored;
  }
  if (auto checked = service::check_token(token.text, host); !checked) return checked.error();
  return token;
}

Result<std::optional<service::TlsFiles>> ServeSettings::tls() const {
  if (!tls_certificate && !tls_key) return std::optional<service::TlsFiles>();
  if (!tls_certificate || !tls_key)
    return fail(Errc::invalid_input, "https needs both --tls-certificate and --tls-key");
  return std::optional(service::TlsFiles{.certificate = *tls_certificate, .key = *tls_key});
}

Result<std::filesystem::path> ServeSettings::results_folder() const {
  if (results) return std::filesystem::path(*results);
  const std::filesystem::path data = environment("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "ergon";
  if (const auto home = home_folder()) return *home / ".local/share/ergon";
  return fail(Errc::not_found, "no home folder for results; give --results DIR or set HOME");
}

}  // namespace ergon::app
