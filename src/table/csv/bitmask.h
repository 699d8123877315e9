#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ergon::table::csv {

// Text is processed in blocks of 64 bytes; bit i of a mask belongs to byte i of the block.
inline constexpr std::size_t kBlock = 64;

// 64 bytes of text, loaded once and compared with several characters.
class Block {
 public:
#if defined(__SSE2__)
  explicit Block(const char* at) {
    for (int i = 0; i < 4; ++i) parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at) + i);
  }
  std::uint64_t equal_to(char wanted) const {
    const __m128i all = _mm_set1_epi8(wanted);
    std::uint64_t mask = 0;
    for (int i = 0; i < 4; ++i) {
      const auto part = static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(parts_[i], all)));
      mask |= static_cast<std::uint64_t>(part) << (16 * i);
    }
    return mask;
  }

 private:
  __m128i parts_[4];
#else
  explicit Block(const char* at) { std::memcpy(bytes_, at, kBlock); }
  std::uint64_t equal_to(char wanted) const {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < kBlock; ++i) mask |= static_cast<std::uint64_t>(bytes_[i] == wanted) << i;
    return mask;
  }

 private:
  char bytes_[kBlock];
#endif
};

// The block that begins at `at`, padded with zeros past the end of the text.
inline Block block_at(std::string_view text, std::size_t at) {
  if (at + kBlock <= text.size()) return Block(text.data() + at);
  char padded[kBlock] = {};
  std::memcpy(padded, text.data() + at, text.size() - at);
  return Block(padded);
}

// Bit i is the parity of the bits 0..i: from quotes to "inside a quoted field, counting its opening quote".
inline std::uint64_t prefix_parity(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// All ones if the last bit is set: carries "inside quotes" to the next block.
inline std::uint64_t spread_last_bit(std::uint64_t bits) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63);
}

// Number of set bits, counted one by one: few are set, and old processors have no popcount instruction.
inline std::uint32_t count_few(std::uint64_t bits) {
  std::uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

}  // namespace ergon::table::csv
