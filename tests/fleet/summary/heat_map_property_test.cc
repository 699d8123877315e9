// Compares with adding all samples of a host to the bins one by one.

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fleet/summary/heat_map.h"

namespace ergon::fleet {
namespace {

struct HostSample {
  std::string host;
  std::size_t gpu;
  std::int64_t seconds;
  double watts, percent;
};

std::vector<HostSample> fleet_samples() {
  std::vector<HostSample> samples;
  const auto hosts = *rc::gen::inRange(0, 4);
  for (int host = 0; host < hosts; ++host) {
    for (std::size_t gpu = 0; gpu < 2; ++gpu) {
      std::int64_t at = *rc::gen::inRange<std::int64_t>(-5'000, 5'000);
      const auto longest = *rc::gen::element<std::int64_t>(3, 300, 100'000);
      const int count = *rc::gen::inRange(0, 40);
      for (int i = 0; i < count; ++i) {
        at += *rc::gen::inRange<std::int64_t>(0, longest);
        const auto drawn = [] {
          const int number = *rc::gen::inRange(-2, 8);
          return number < 0 ? std::nan("") : static_cast<double>(number);
        };
        samples.push_back({"host" + std::to_string(host), gpu, at, drawn(), drawn()});
      }
    }
  }
  return samples;
}

struct PlainMean {
  double sum = 0;
  int count = 0;
};

RC_GTEST_PROP(HeatMapProperty, EqualsBinningAllSamples, ()) {
  const auto samples = fleet_samples();
  Tally tally;
  bool anything = false;
  for (const HostSample& each : samples) {
    auto& gpus = tally.hosts[each.host].gpus;
    gpus.resize(2);
    gpus[each.gpu].history.add({each.seconds * 1'000'000'000}, each.watts, each.percent);
    anything = anything || !std::isnan(each.watts) || !std::isnan(each.percent);
  }
  const HeatMap map = heat_map_of(tally);
  RC_ASSERT(map.hosts.empty() == !anything);
  if (!anything) return;
  RC_ASSERT(map.hosts.size() == tally.hosts.size());
  const auto width = static_cast<std::int64_t>(map.bin.si());
  const std::int64_t start = map.start.ns / 1'000'000'000;
  RC_ASSERT(start % width == 0);
  std::map<std::tuple<std::string, std::size_t, std::int64_t>, PlainMean> watts, percent;  // host, bin, GPU
  for (const HostSample& each : samples) {
    if (std::isnan(each.watts) && std::isnan(each.percent)) continue;
    RC_ASSERT(each.seconds >= start);
    const auto bin = static_cast<std::size_t>((each.seconds - start) / width);
    RC_ASSERT(bin < map.watts.at(0).size());
    const auto gpu = static_cast<std::int64_t>(each.gpu);
    if (!std::isnan(each.watts)) {
      PlainMean& mean = watts[{each.host, bin, gpu}];
      mean.sum += each.watts;
      ++mean.count;
    }
    if (!std::isnan(each.percent)) {
      PlainMean& mean = percent[{each.host, bin, gpu}];
      mean.sum += each.percent;
      ++mean.count;
    }
  }
  bool first_told = false, last_told = false;
  for (std::size_t host = 0; host < map.hosts.size(); ++host) {
    const std::size_t bins = map.watts[host].size();
    RC_ASSERT(bins == map.watts[0].size() && bins == map.percent[host].size());
    RC_ASSERT(bins <= HeatMap::kMaxBins);
    for (std::size_t bin = 0; bin < bins; ++bin) {
      std::optional<double> power, used;
      int gpus = 0;
      for (std::int64_t gpu = 0; gpu < 2; ++gpu) {
        if (const auto found = watts.find({map.hosts[host], bin, gpu}); found != watts.end())
          power = power.value_or(0) + found->second.sum / found->second.count;
        if (const auto found = percent.find({map.hosts[host], bin, gpu}); found != percent.end()) {
          used = used.value_or(0) + found->second.sum / found->second.count;
          ++gpus;
        }
      }
      if (used) *used /= gpus;
      RC_ASSERT(map.watts[host][bin] == power);
      RC_ASSERT(map.percent[host][bin] == used);
      first_told = first_told || (bin == 0 && (power || used));
      last_told = last_told || (bin + 1 == bins && (power || used));
    }
  }
  RC_ASSERT(first_told && last_told);
}

}  // namespace
}  // namespace ergon::fleet
