#include "service/api/file_response.h"

#include <fstream>
#include <stdexcept>
#include <string>

#include "base/file.h"

namespace ergon::service {
namespace {

constexpr std::uintmax_t kMaxWhole = std::uintmax_t{256} << 10;
constexpr std::size_t kPiece = std::size_t{64} << 10;

}  // namespace

Response file_response(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size <= kMaxWhole) {
    auto text = read_file(file);
    return text ? json_response(std::move(*text)) : error_response(text.error());
  }
  const auto input = std::make_shared<std::ifstream>(file, std::ios::binary);
  if (!*input) return error_response(fail(Errc::io, "the result cannot be read"));
  Response response;
  response.stream = [input, piece = std::string(kPiece, '\0')](const Response::Write& write) mutable {
    input->read(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (input->bad()) throw std::runtime_error("the file cannot be read");
    return write(std::string_view(piece).substr(0, static_cast<std::size_t>(input->gcount()))) &&
           bool(*input);
  };
  return response;
}

}  // namespace ergon::service
