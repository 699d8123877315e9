#include "allocate/arada.h"

#include <algorithm>

#include "systolic/run_totals.h"

namespace ergon::allocate {
namespace {

// The lowest clock at which a memory-bound layer takes no longer (eq. 1).
Hertz clock_of(const LayerDemand& demand, const Hardware& hardware, Scheme scheme) {
  const Seconds total = systolic::duration(demand.total_cycles, hardware.clock);
  Seconds usable = systolic::duration(demand.stall_cycles, hardware.clock);
  if (scheme != Scheme::ideal) usable -= hardware.switch_time;
  const Hertz clock = hardware.clock * ((total - usable) / total).si();
  return scheme == Scheme::vf_oh_q ? clock_at_least(hardware, clock) : clock;
}

double words_of(const LayerDemand& demand, const Hardware& hardware, Scheme scheme) {
  if (scheme == Scheme::ideal) return std::min(hardware.words_per_cycle, demand.required_words);
  return words_at_least(hardware, demand.required_words);
}

}  // namespace

const std::vector<std::string>& arada_networks() {
  static const std::vector<std::string> kNetworks = {
      "scalesim/MobileNet",         "arada/MobileNetV2",   "arada/EfficientNetB0",
      "scalesim/Resnet18",          "scalesim/Googlenet",  "arada/YOLOv4-tiny",
      "scalesim/FaceRecognitionID", "scalesim/FasterRCNN", "scalesim/SpeakerID"};
  return kNetworks;
}

bool lowers_clock(const LayerDemand& demand, const Hardware& hardware, Scheme scheme) {
  if (demand.stall_cycles <= 0 || scheme == Scheme::race_to_idle) return false;
  return scheme == Scheme::ideal ||
         systolic::duration(demand.stall_cycles, hardware.clock) >= hardware.switch_time;
}

std::vector<LayerSetting> allocate_arada(std::span<const LayerDemand> demands, const Hardware& hardware,
                                         Scheme scheme) {
  std::vector<LayerSetting> settings;
  for (const LayerDemand& demand : demands) {
    LayerSetting setting{hardware.clock, hardware.words_per_cycle, {}};
    if (lowers_clock(demand, hardware, scheme)) {
      setting.clock = clock_of(demand, hardware, scheme);
    } else if (demand.stall_cycles == 0 && scheme != Scheme::race_to_idle) {
      setting.words = words_of(demand, hardware, scheme);
    }
    settings.push_back(setting);
  }
  return settings;
}

double energy_as_printed(const LayerDemand& demand, const Hardware& hardware, Hertz clock) {
  return energy_by_work(hardware, clock) * (clock / hardware.clock).si() *
         static_cast<double>(demand.total_cycles) / static_cast<double>(demand.work_cycles());
}

double energy_by_work(const Hardware& hardware, Hertz clock) {
  const double voltage = hardware.voltage_ratio(clock);
  return voltage * voltage;
}

}  // namespace ergon::allocate
