#pragma once

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "service/http/server.h"

namespace ergon::service {

// TLS 1.2 and later with the certificate chain and the private key of a server (PEM). Errors: a file that
// cannot be read, a key that does not belong to the certificate.
Result<std::unique_ptr<boost::asio::ssl::context>> server_tls(const TlsFiles& files);

// TLS 1.2 and later that trusts the certificates in `authorities` (PEM), or, if that is empty, those of the
// system and of the environment variables SSL_CERT_FILE and SSL_CERT_DIR.
Result<std::unique_ptr<boost::asio::ssl::context>> client_tls(const std::filesystem::path& authorities);

}  // namespace ergon::service
