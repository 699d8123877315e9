#include "sources/network_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/file.h"
#include "graph/idioms/idioms.h"
#include "sources/network_source.h"

namespace ergon::sources {
namespace {

Result<std::string> title_of(const NetworkSource& source, const graph::Network& network) {
  if (const auto files = source.files(); !files.empty()) {
    const auto text = read_file(files.front(), kAnySize);  // weights included
    if (!text) return text.error();
    return fmt::format("{}#{}", network.name, digest(*text).substr(0, 8));
  }
  const bool default_family = network.family == "torchvision" || network.family == "hf";
  std::string title = default_family ? network.name : fmt::format("{}/{}", network.family, network.name);
  if (source.size) title += fmt::format("@{}", *source.size);
  return title;
}

}  // namespace

Result<std::vector<profile::LoadedNetwork>> load_networks(const std::vector<std::string>& names,
                                                          std::optional<std::int64_t> size) {
  std::vector<profile::LoadedNetwork> all;
  for (const std::string& name : names) {
    NetworkSource source;
    source.where = name;
    source.size = size;
    auto loaded = source.load_with_weights();
    if (!loaded) return loaded.error();
    auto title = title_of(source, loaded->network);
    if (!title) return title.error();
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == *title; });
    if (same != all.end()) continue;
    // With weights the network runs node by node as in the file; without weights it runs as its framework
    // would.
    if (!loaded->content && loaded->network.family == "onnx")
      loaded->network = graph::fuse_idioms(loaded->network);
    all.push_back({std::move(*title), std::move(loaded->network), std::move(loaded->content)});
  }
  return all;
}

}  // namespace ergon::sources
