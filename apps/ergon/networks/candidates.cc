#include "networks/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/idioms/idioms.h"
#include "networks/network_source.h"
#include "profile/digest.h"

namespace ergon::app {
namespace {

Result<std::string> title_of(const NetworkSource& source, const graph::Network& network) {
  if (const auto files = source.files(); !files.empty()) {
    const auto text = read_file(files.front());
    if (!text) return text.error();
    return fmt::format("{}#{}", network.name, profile::digest(*text).substr(0, 8));
  }
  const bool usual = network.family == "torchvision" || network.family == "hf";
  std::string title = usual ? network.name : fmt::format("{}/{}", network.family, network.name);
  if (source.size) title += fmt::format("@{}", *source.size);
  return title;
}

}  // namespace

Result<std::vector<profile::Candidate>> load_candidates(const std::vector<std::string>& places,
                                                        std::optional<std::int64_t> size) {
  std::vector<profile::Candidate> all;
  for (const std::string& place : places) {
    NetworkSource source;
    source.where = place;
    source.size = size;
    auto loaded = source.load_filled();
    if (!loaded) return loaded.error();
    auto title = title_of(source, loaded->network);
    if (!title) return title.error();
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == *title; });
    if (same != all.end()) continue;
    // Numbers belong to nodes as the file has them; without numbers it is run as a framework would.
    if (!loaded->content && loaded->network.family == "onnx")
      loaded->network = graph::read_idioms(loaded->network);
    all.push_back({std::move(*title), std::move(loaded->network), std::move(loaded->content)});
  }
  return all;
}

void declare_size(Options& options, std::optional<std::int64_t>& size) {
  options.parsed("--size", "N", "side of the input image, for networks of the zoo",
                 [target = &size](std::string_view text) -> Result<> {
                   const auto number = parse_int64(text);
                   if (!number || *number < 1 || *number > 100000)
                     return fail(Errc::invalid_input, "--size wants a whole number, got \"{}\"",
                                 printable(text));
                   *target = *number;
                   return {};
                 });
}

}  // namespace ergon::app
