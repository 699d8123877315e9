#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::reproduce {

// The SHA-256 checksum of some bytes (FIPS 180-4), as printed by sha256sum.
//
// The bytes, one bit 1, zeros and the length in bits form blocks of 64 bytes. Each block is expanded to 64
// words and mixed into eight words of state in 64 rounds; the state after the last block is the checksum.
class Sha256 {
 public:
  void add(std::string_view bytes);
  // The checksum as 64 hexadecimal digits. Nothing may be added after it.
  std::string finish();

 private:
  void mix(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t used_ = 0;  // bytes of block_
  std::uint64_t bytes_ = 0;
};

// Of a file, read in pieces. Errors: a file that cannot be read.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace ergon::reproduce
