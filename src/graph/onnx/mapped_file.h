#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::graph::onnx {

// A read-only memory-mapped file.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return {bytes_, bytes_ == nullptr ? 0 : size_}; }

 private:
  MappedFile(const char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  const char* bytes_;
  std::size_t size_;
};

}  // namespace ergon::graph::onnx
