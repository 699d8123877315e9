#include "service/token.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/file.h"
#include "base/text.h"
#include "service/guard.h"

namespace ergon::service {
namespace {

constexpr std::size_t kMinTokenLength = 16;
constexpr std::size_t kTokenBytes = 24;

// Creates the file; the link of somebody else in its place is not followed.
Result<> write_private(const std::filesystem::path& file, std::string_view text) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return errno_error(errno).in(file.string());
  const bool written =
      ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
  const int reason = errno;
  ::close(fd);
  if (written) return {};
  ::unlink(file.c_str());
  return errno_error(reason).in(file.string());
}

}  // namespace

bool fits_in_header(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Result<> check_token(std::string_view token, std::string_view host) {
  if (!fits_in_header(token))
    return fail(Errc::invalid_input, "the token contains characters other than printable ASCII");
  if (!token.empty() && token.size() < kMinTokenLength)
    return fail(Errc::invalid_input, "the token is shorter than {} characters; try: openssl rand -hex 24",
                kMinTokenLength);
  if (token.empty() && !is_loopback(host)) {
    return fail(Errc::permission,
                "--host {} needs a token: set --token-file or ERGON_TOKEN, or use 127.0.0.1", host);
  }
  return {};
}

std::string new_token() {
  std::array<unsigned char, kTokenBytes> bytes{};
  // Not interrupted, and never short, for up to 256 bytes (getrandom(2)).
  ERGON_EXPECTS(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string token;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(token), "{:02x}", byte);
  return token;
}

Result<std::string> stored_token(const std::filesystem::path& file) {
  struct stat found {};
  if (::lstat(file.c_str(), &found) != 0) {
    if (errno != ENOENT) return errno_error(errno).in(file.string());
    std::string token = new_token();
    if (auto written = write_private(file, token + "\n"); !written) return written.error();
    return token;
  }
  if (!S_ISREG(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 077) != 0)
    return fail(Errc::permission,
                "{}: other users may know this token; remove the file, and a new one is created",
                file.string());
  const auto text = read_file(file);
  if (!text) return text.error();
  std::string token(trim(*text));
  if (token.size() < kMinTokenLength || !fits_in_header(token))
    return fail(Errc::invalid_input, "{}: no valid token; remove the file, and a new one is created",
                file.string());
  return token;
}

}  // namespace ergon::service
