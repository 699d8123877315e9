#include "sources/stored_networks.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/idioms/idioms.h"
#include "graph/onnx/onnx.h"
#include "profile/dataset_files.h"
#include "sources/network_file.h"
#include "sources/network_list.h"

namespace ergon::sources {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".onnx", kAsWritten = ".as_written";

// A network's name without the digest of its file: "net" of "net#1a2b3c4d".
std::string_view plain(std::string_view name) { return name.substr(0, name.rfind('#')); }

std::string file_name(const std::string& network, bool as_written) {
  return fmt::format("{}{}{}", network, as_written ? kAsWritten : std::string_view(), kEnding);
}

}  // namespace

Result<> store_networks(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!is_onnx_file(name)) continue;
    const auto candidates = load_networks({name}, std::nullopt);
    if (!candidates) return candidates.error();
    const profile::LoadedNetwork& network = candidates->front();
    const auto structure = graph::onnx::structure_only_onnx(name);
    if (!structure) return structure.error();
    const fs::path into = fs::path(folder) / profile::kNetworksFolder;
    if (const fs::path other = into / file_name(network.name, !network.content); fs::exists(other))
      return fail(Errc::invalid_input, "{}: measured {} weights before, now {}: use another dataset folder",
                  network.name, network.content ? "without" : "with", network.content ? "with" : "without");
    std::error_code failed;
    fs::create_directories(into, failed);
    if (failed) return errno_error(failed.value()).in(into.string());
    const fs::path path = into / file_name(network.name, network.content.has_value());
    if (auto written = write_file(path, *structure); !written) return written;
  }
  return {};
}

void StoredNetworks::add(const std::string& folder) {
  for (const fs::path& path : profile::stored_networks(folder)) {
    std::string name = path.filename().string();
    name.resize(name.size() - kEnding.size());
    if (name.ends_with(kAsWritten)) name.resize(name.size() - kAsWritten.size());
    paths_.emplace(name, path.string());
  }
}

Result<std::string> StoredNetworks::name_of(const std::string& name) const {
  if (paths_.contains(name)) return name;
  std::vector<std::string> alike;
  for (const auto& [stored, path] : paths_) {
    if (plain(stored) == name) alike.push_back(stored);
  }
  if (alike.size() == 1) return alike.front();
  if (alike.empty()) return fail(Errc::unknown_name, "no stored network {}", printable(name));
  return fail(Errc::invalid_input, "{} is ambiguous: {} different files are stored under this name", name,
              alike.size());
}

Result<graph::Network> StoredNetworks::load(const std::string& name) const {
  const auto found = paths_.find(name);
  if (found == paths_.end()) return fail(Errc::unknown_name, "no stored network {}", printable(name));
  const std::string& path = found->second;
  auto network = graph::onnx::import_onnx_file(path, {});
  if (!network) return network.error();
  const bool as_written = path.ends_with(fmt::format("{}{}", kAsWritten, kEnding));
  return as_written ? std::move(*network) : graph::fuse_idioms(*network);
}

}  // namespace ergon::sources
