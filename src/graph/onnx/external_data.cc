#include "graph/onnx/external_data.h"

#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace ergon::graph::onnx {

std::optional<std::vector<std::byte>> external_bytes(const ::onnx::TensorProto& tensor,
                                                     const std::string& folder, std::int64_t size) {
  std::string location;
  std::int64_t offset = 0;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") offset = parse_int64(entry.value()).value_or(-1);
  }
  if (folder.empty() || location.empty() || size < 0 || offset < 0 || location.find('/') != std::string::npos)
    return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(folder) / location;
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(path, trouble)) return std::nullopt;
  // Check the file size before allocating: the shape may claim more than the file has.
  const auto length = std::filesystem::file_size(path, trouble);
  if (trouble || static_cast<std::uint64_t>(offset) > length ||
      static_cast<std::uint64_t>(size) > length - static_cast<std::uint64_t>(offset))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!file.seekg(offset) || !file.read(reinterpret_cast<char*>(bytes.data()), size)) return std::nullopt;
  return bytes;
}

}  // namespace ergon::graph::onnx
