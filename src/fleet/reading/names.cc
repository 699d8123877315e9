#include "fleet/reading/names.h"

#include <fmt/format.h>

namespace ergon::fleet {
namespace {

// Size in bytes of the UTF-8 character at the start of `text`; 0 if it is invalid.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Reject overlong encodings, surrogates and values above U+10FFFF.
  const unsigned second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return size;
}

}  // namespace

std::string utf8_name(std::string_view name) {
  std::string shown;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t size = character_size(name.substr(at));
    if (size == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[at]));
      ++at;
    } else {
      shown += name.substr(at, size);
      at += size;
    }
  }
  return shown;
}

Code NameTable::code_of(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto known = codes_.find(name); known != codes_.end()) return known->second;
  const auto code = static_cast<Code>(names_.size());
  codes_.emplace(names_.emplace_back(Entry{std::string(name), utf8_name(name)}).given, code);
  return code;
}

std::string_view NameTable::operator[](Code code) const {
  const std::lock_guard lock(mutex_);
  return names_[code].shown;
}

std::string_view NameTable::as_given(Code code) const {
  const std::lock_guard lock(mutex_);
  return names_[code].given;
}

std::size_t NameTable::size() const {
  const std::lock_guard lock(mutex_);
  return names_.size();
}

Code GpuTable::code_of(std::string_view key, const GpuRecord& gpu) {
  const std::lock_guard lock(mutex_);
  std::string whole(key);
  whole += '\n';  // occurs in no name
  whole += std::to_string(gpu.host);
  const auto [known, added] = codes_.emplace(std::move(whole), static_cast<Code>(gpus_.size()));
  if (added) gpus_.push_back({std::string(key), gpu});
  return known->second;
}

const GpuRecord& GpuTable::operator[](Code code) const {
  const std::lock_guard lock(mutex_);
  return gpus_[code].gpu;
}

std::string_view GpuTable::key(Code code) const {
  const std::lock_guard lock(mutex_);
  return gpus_[code].key;
}

std::size_t GpuTable::size() const {
  const std::lock_guard lock(mutex_);
  return gpus_.size();
}

void NameCache::filled() {
  ++used_;
  if (used_ * 2 < slots_.size()) return;
  std::vector<Entry> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Entry& entry : old) {
    if (entry.code != kNoCode) find(entry.name, entry.hash) = entry;
  }
}

}  // namespace ergon::fleet
