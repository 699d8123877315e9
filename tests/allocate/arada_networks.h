#pragma once

#include <string>
#include <vector>

#include "allocate/demand.h"
#include "graph/topology.h"
#include "graph/zoo/zoo.h"
#include "systolic/catalogue/catalogue.h"
#include "systolic/simulate.h"

namespace ergon::allocate {

// The paper's nine networks.
inline const std::vector<std::string> kAradaNetworks = {
    "scalesim/MobileNet",         "arada/MobileNetV2",   "arada/EfficientNetB0",
    "scalesim/Resnet18",          "scalesim/Googlenet",  "arada/YOLOv4-tiny",
    "scalesim/FaceRecognitionID", "scalesim/FasterRCNN", "scalesim/SpeakerID"};

inline std::vector<systolic::Layer> layers_of_network(const std::string& name) {
  const auto network = graph::zoo::build(**graph::zoo::find(name), {});
  const auto topology = graph::topology_of(*network, graph::TopologyForm::convolutions);
  return *systolic::layers_of(*topology, false);
}

// The paper's accelerators at a number of words a cycle.
inline Hardware arada_hardware(const std::string& accelerator, double words) {
  const auto found = systolic::find_accelerator(accelerator);
  Hardware hardware;
  hardware.machine = found->machine;
  hardware.clock = found->clock;
  hardware.words_per_cycle = words;
  hardware.bytes_per_word = found->memory_bytes_per_word;
  return hardware;
}

inline std::vector<Demand> demands_of_network(const std::string& name, const Hardware& hardware) {
  systolic::ScheduleCache cache;
  return *demands_of(layers_of_network(name), hardware, cache);
}

}  // namespace ergon::allocate
