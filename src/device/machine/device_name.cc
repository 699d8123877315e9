#include "device/machine/device_name.h"

#include <algorithm>

#include "base/builtin_files.h"
#include "base/text.h"

namespace ergon::device {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

NameKind kind_of_name(std::string_view name) {
  const std::string id = lower(name);
  if (id == "cpu") return NameKind::processor;
  const bool gpu =
      is_number(id) || id.starts_with("gpu-") || (id.starts_with("gpu") && is_number(id.substr(3)));
  return gpu ? NameKind::gpu : NameKind::twin;
}

bool is_device_file(std::string_view name) { return is_json_file(name); }

}  // namespace ergon::device
