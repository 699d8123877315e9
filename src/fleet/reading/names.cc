#include "fleet/reading/names.h"

namespace ergon::fleet {

Code Names::code_of(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto known = codes_.find(name); known != codes_.end()) return known->second;
  const auto code = static_cast<Code>(names_.size());
  codes_.emplace(names_.emplace_back(name), code);
  return code;
}

std::string_view Names::operator[](Code code) const {
  const std::lock_guard lock(mutex_);
  return names_[code];
}

std::size_t Names::size() const {
  const std::lock_guard lock(mutex_);
  return names_.size();
}

Code Gpus::code_of(std::string_view key, const Gpu& gpu) {
  const std::lock_guard lock(mutex_);
  std::string whole(key);
  whole += '\n';  // in no name
  whole += std::to_string(gpu.host);
  const auto [known, added] = codes_.emplace(std::move(whole), static_cast<Code>(gpus_.size()));
  if (added) gpus_.push_back({std::string(key), gpu});
  return known->second;
}

const Gpu& Gpus::operator[](Code code) const {
  const std::lock_guard lock(mutex_);
  return gpus_[code].gpu;
}

std::string_view Gpus::key(Code code) const {
  const std::lock_guard lock(mutex_);
  return gpus_[code].key;
}

std::size_t Gpus::size() const {
  const std::lock_guard lock(mutex_);
  return gpus_.size();
}

void NameCache::filled() {
  ++used_;
  if (used_ * 2 < slots_.size()) return;
  std::vector<Entry> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Entry& entry : old) {
    if (entry.code != kNobody) find(entry.name, entry.hash) = entry;
  }
}

}  // namespace ergon::fleet
