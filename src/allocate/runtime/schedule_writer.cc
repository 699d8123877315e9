#include "allocate/runtime/schedule_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "allocate/layer_energy.h"
#include "base/text.h"

namespace ergon::allocate {
namespace {

// Clamps the bandwidth to what the hardware has left.
LayerSetting within(LayerSetting setting, const Hardware& hardware) {
  setting.words = std::min(setting.words, hardware.words_per_cycle);
  return setting;
}

// A candidate row of a layer.
struct Entry {
  LayerSetting setting;
  bool switches = false;  // the previous layer ends at another clock
};

// Rows of one layer for all shares.
class LayerRows {
 public:
  LayerRows(const LayerDemand& demand, const std::vector<Hardware>& shares, const Entry& first,
            Hertz clock_before)
      : demand_(demand), shares_(shares), first_(first), clock_before_(clock_before) {}

  schedule::Row row(std::size_t share, double name, double tolerance) const {
    const Entry entry = share == 0 ? first_ : best(share, tolerance);
    const Hardware& hardware = shares_[share];
    const LayerSetting setting = within(entry.setting, hardware);
    const LayerTime time = time_of(entry, share);
    const EnergySplit full = full_speed_energy(demand_, hardware);
    schedule::Row row{
        .share = name,
        .frequency_hz = setting.clock.si(),
        .tail_frequency_hz = setting.leaves_at().si(),
        .tail_after_line = setting.tail ? static_cast<double>(setting.tail->after_line) : -1,
        .voltage_ratio = hardware.voltage_ratio(setting.clock),
        .bandwidth_bytes_per_second = hardware.bandwidth(entry.setting.words).si(),
        .energy_ratio = (layer_energy(demand_, hardware, setting, time).array / full.array).si(),
        .stall_seconds = time.stall.si()};
    for (std::size_t i = 0; i < shares_.size(); ++i) row.time_seconds.push_back(time_of(entry, i).total.si());
    return row;
  }

 private:
  LayerTime time_of(const Entry& entry, std::size_t share) const {
    return SimulatedTimes(shares_[share])
        .of(demand_, within(entry.setting, shares_[share]), entry.switches ? 1 : 0);
  }

  Joules energy_of(const Entry& entry, std::size_t share) const {
    const Hardware& hardware = shares_[share];
    const int changes = (entry.switches ? 1 : 0) + (entry.setting.tail ? 1 : 0);
    return layer_energy(demand_, hardware, within(entry.setting, hardware), time_of(entry, share)).total() +
           hardware.switch_energy() * changes;
  }

  Entry best(std::size_t share, double tolerance) const {
    const Seconds allowed = time_of(first_, share).total * (1 + tolerance);
    const Hertz leaves = first_.setting.leaves_at();
    Entry best = first_;
    Joules lowest = energy_of(first_, share);
    const auto consider = [&](const Entry& entry) {
      const Joules energy = energy_of(entry, share);
      if (energy >= lowest || time_of(entry, share).total > allowed) return;
      best = entry;
      lowest = energy;
    };
    for (const Hertz clock : clock_levels(shares_[share])) {
      Entry entry{{clock, first_.setting.words, {}}, clock != clock_before_};
      if (clock == leaves) {
        consider(entry);
        continue;
      }
      for (const std::int64_t line :
           tail_lines(demand_, shares_[share], within(entry.setting, shares_[share]))) {
        entry.setting.tail = Tail{line, leaves};
        consider(entry);
      }
    }
    return best;
  }

  const LayerDemand& demand_;
  const std::vector<Hardware>& shares_;
  Entry first_;
  Hertz clock_before_;
};

}  // namespace

Hardware with_share(const Hardware& hardware, double share) {
  Hardware left = hardware;
  left.words_per_cycle = share * hardware.words_per_cycle;
  if (hardware.semantics != systolic::Semantics::ergon)
    left.words_per_cycle = std::ceil(left.words_per_cycle);
  return left;
}

schedule::File make_schedule_file(const std::string& network, const Hardware& hardware,
                                  const Schedule& schedule, const ScheduleFileSettings& settings) {
  std::vector<Hardware> shares;
  for (const double share : settings.shares) shares.push_back(with_share(hardware, share));
  schedule::File file{.network = network,
                      .frequency_max_hz = hardware.clock.si(),
                      .bandwidth_max_bytes_per_second = hardware.bandwidth(hardware.words_per_cycle).si(),
                      .switch_seconds = hardware.switch_time.si(),
                      .shares = settings.shares};
  Hertz clock = hardware.clock;
  for (const ScheduledLayer& planned : schedule.layers) {
    const LayerRows rows(planned.demand, shares, {planned.setting, planned.switches}, clock);
    clock = planned.setting.leaves_at();
    schedule::Layer layer{printable(planned.demand.name, 200), {}};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      layer.rows.push_back(rows.row(i, settings.shares[i], settings.tolerance));
    }
    file.layers.push_back(std::move(layer));
  }
  return file;
}

std::string to_text(const schedule::File& file) {
  std::string text = fmt::format("ergon-schedule\t1\nnetwork\t{}\n", printable(file.network, 200));
  const auto exact = [](double number) { return shortest_text(number); };
  text += fmt::format("frequency_max_hz\t{}\nbandwidth_max_bytes_per_second\t{}\nswitch_seconds\t{}\nshares",
                      exact(file.frequency_max_hz), exact(file.bandwidth_max_bytes_per_second),
                      exact(file.switch_seconds));
  std::string heading =
      "layer\tshare\tfrequency_hz\ttail_frequency_hz\ttail_after_line\tvoltage_ratio\tbandwidth_bytes_per_"
      "second\t"
      "energy_ratio\tstall_seconds";
  for (const double share : file.shares) {
    text += fmt::format("\t{}", exact(share));
    heading += fmt::format("\ttime_seconds@{}", exact(share));
  }
  text += fmt::format("\n{}\tname\n", heading);
  for (std::size_t layer = 0; layer < file.layers.size(); ++layer) {
    for (const schedule::Row& row : file.layers[layer].rows) {
      text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", layer, exact(row.share),
                          exact(row.frequency_hz), exact(row.tail_frequency_hz), exact(row.tail_after_line),
                          exact(row.voltage_ratio), exact(row.bandwidth_bytes_per_second),
                          exact(row.energy_ratio), exact(row.stall_seconds));
      for (const double time : row.time_seconds) text += fmt::format("\t{}", exact(time));
      text += fmt::format("\t{}\n", file.layers[layer].name);
    }
  }
  return text;
}

}  // namespace ergon::allocate
