#include "service/http/tls.h"

#include <string>

#include "base/file.h"

namespace ergon::service {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

constexpr auto kOptions = ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                          ssl::context::no_tlsv1_1 | ssl::context::no_compression;

std::unique_ptr<ssl::context> context_of(ssl::context::method method) {
  auto context = std::make_unique<ssl::context>(method);
  context->set_options(kOptions);
  // Idle connections give their buffers back.
  SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

// A key that needs a password fails instead of asking on the terminal.
std::string no_password(std::size_t, ssl::context::password_purpose) { return {}; }

}  // namespace

Result<std::unique_ptr<ssl::context>> server_tls(const TlsFiles& files) {
  for (const std::filesystem::path& file : {files.certificate, files.key}) {
    if (const auto text = read_file(file); !text) return text.error();
  }
  auto context = context_of(ssl::context::tls_server);
  // A session is as long as its connection: nothing is stored for clients that do not return.
  SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
  error_code error;
  context->use_certificate_chain_file(files.certificate.string(), error);
  if (error) return fail(Errc::invalid_input, "{}: no certificate in PEM format", files.certificate.string());
  context->set_password_callback(no_password, error);
  context->use_private_key_file(files.key.string(), ssl::context::pem, error);
  if (error)
    return fail(Errc::invalid_input, "{}: not the private key, in PEM format and without password, of {}",
                files.key.string(), files.certificate.string());
  return context;
}

Result<std::unique_ptr<ssl::context>> client_tls(const std::filesystem::path& authorities) {
  auto context = context_of(ssl::context::tls_client);
  error_code error;
  if (authorities.empty()) {
    context->set_default_verify_paths(error);
  } else {
    if (const auto text = read_file(authorities); !text) return text.error();
    context->load_verify_file(authorities.string(), error);
  }
  if (error) return fail(Errc::invalid_input, "{}: no certificates in PEM format", authorities.string());
  context->set_verify_mode(ssl::verify_peer, error);
  return context;
}

}  // namespace ergon::service
