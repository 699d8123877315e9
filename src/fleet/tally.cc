#include "fleet/tally.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "fleet/reading/name_hash.h"
#include "fleet/synthetic/identity.h"

namespace ergon::fleet {

void keep_longest(std::vector<LongEventRecord>& events) {
  std::sort(events.begin(), events.end(), [](const LongEventRecord& a, const LongEventRecord& b) {
    const auto key = [](const LongEventRecord& each) {
      return std::tuple(each.start, each.task_hash, name_hash(each.host));
    };
    if (a.event != b.event) return a.event < b.event;
    if (a.duration_ns != b.duration_ns) return a.duration_ns > b.duration_ns;
    return key(a) < key(b);
  });
  std::map<std::string, std::size_t> kept;
  std::erase_if(events, [&](const LongEventRecord& each) { return ++kept[each.event] > kMaxLongEvents; });
}

bool is_simulated_job(std::string_view name) { return name.starts_with(synthetic::kJobMark); }

Result<> merge(Tally& whole, const Tally& part) {
  if (whole.rules != part.rules)
    return fail(Errc::invalid_input,
                "parts were analyzed with different --keep-duplicates, --gap or --max-event");
  for (const auto& [name, host] : part.hosts) {
    if (whole.hosts.contains(name))
      return fail(Errc::invalid_input, "host {} is in two parts; parts must not share hosts",
                  printable(name));
  }
  whole.checkpoints += part.checkpoints;
  whole.samples += part.samples;
  whole.hosts.insert(part.hosts.begin(), part.hosts.end());
  for (const auto& [key, distribution] : part.distributions) whole.distributions[key].merge(distribution);
  whole.longest.insert(whole.longest.end(), part.longest.begin(), part.longest.end());
  keep_longest(whole.longest);
  whole.jobs.insert(part.jobs.begin(), part.jobs.end());
  std::vector<std::uint64_t> tasks;
  std::set_union(whole.tasks.begin(), whole.tasks.end(), part.tasks.begin(), part.tasks.end(),
                 std::back_inserter(tasks));
  whole.tasks = std::move(tasks);
  whole.simulated = whole.simulated || part.simulated;
  return {};
}

}  // namespace ergon::fleet
