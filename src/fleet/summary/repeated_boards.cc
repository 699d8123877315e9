#include "fleet/summary/repeated_boards.h"

#include <algorithm>
#include <map>

namespace ergon::fleet {
namespace {

struct Appearance {
  std::string host;
  const GpuSums* sums;
};

bool overlap(const GpuSums& a, const GpuSums& b) {
  return std::max(a.first, b.first) < std::min(a.last, b.last);
}

}  // namespace

std::vector<RepeatedBoard> repeated_boards(const Tally& tally) {
  std::map<std::string, std::vector<Appearance>> boards;
  for (const auto& [name, host] : tally.hosts) {
    for (const GpuTally& gpu : host.gpus) {
      if (gpu.has_uuid) boards[gpu.uuid].push_back({name, &gpu.sums});
    }
  }
  std::vector<RepeatedBoard> repeated;
  for (const auto& [uuid, all] : boards) {
    if (all.size() < 2) continue;
    RepeatedBoard& board = repeated.emplace_back();
    board.uuid = uuid;
    Joules sum, most;
    for (const Appearance& each : all) {
      board.hosts.push_back(each.host);
      const bool twice = std::ranges::any_of(all, [&](const Appearance& other) {
        return other.sums != each.sums && overlap(*each.sums, *other.sums);
      });
      if (!twice) continue;
      board.at_once = true;
      sum += each.sums->total.energy;
      most = std::max(most, each.sums->total.energy);
    }
    board.more_than_once = sum - most;
  }
  return repeated;
}

}  // namespace ergon::fleet
