#include "table/dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/contract.h"

namespace ergon::table {
namespace {

// Multiplies eight bytes at a time into a 64-bit state and folds the high half back, as the wyhash family
// does.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t state = text.size() * kOdd;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t word = 0;
  for (; left >= 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    state = mix(state ^ word, kOdd);
  }
  word = 0;
  if (left > 0) std::memcpy(&word, at, left);
  return mix(state ^ word, kOdd ^ 0xD6E8FEB86659FD93);
}

}  // namespace

const Dictionary::Slot* Dictionary::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.code == kNoCode || (slot.hash == tag && at(slot.code) == text)) return &slot;
  }
}

void Dictionary::index(std::size_t slots) {
  slots_.assign(slots, Slot{});
  const std::size_t mask = slots - 1;
  for (Code code = 0; code < size(); ++code) {
    const std::uint64_t hash = hash_of(at(code));
    std::size_t i = hash & mask;
    while (slots_[i].code != kNoCode) i = (i + 1) & mask;
    slots_[i] = {static_cast<std::uint32_t>(hash >> 32), code};
  }
}

Code Dictionary::code_of(std::string_view text) {
  if ((size() + 1) * 2 > slots_.size()) index(std::bit_ceil(std::max<std::size_t>(16, (size() + 1) * 4)));
  const std::uint64_t hash = hash_of(text);
  const Slot* slot = slot_of(text, hash);
  if (slot->code != kNoCode) return slot->code;
  ERGON_EXPECTS(size() < kNoCode - 1);
  const auto code = static_cast<Code>(size());
  letters_.append(text);
  begins_.push_back(letters_.size());
  slots_[static_cast<std::size_t>(slot - slots_.data())] = {static_cast<std::uint32_t>(hash >> 32), code};
  return code;
}

void Dictionary::compact() {
  slots_ = {};
  letters_.shrink_to_fit();
  begins_.shrink_to_fit();
}

Bytes Dictionary::memory() const {
  return bytes(letters_.capacity() + begins_.capacity() * sizeof begins_[0] +
               slots_.capacity() * sizeof(Slot));
}

}  // namespace ergon::table
