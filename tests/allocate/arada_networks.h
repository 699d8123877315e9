#pragma once

#include <string>
#include <vector>

#include "allocate/demand.h"
#include "systolic/catalogue/catalogue.h"
#include "systolic/simulate.h"

namespace ergon::allocate {

// The paper's nine networks.
inline const std::vector<std::string> kAradaNetworks = {
    "scalesim/MobileNet",         "arada/MobileNetV2",   "arada/EfficientNetB0",
    "scalesim/Resnet18",          "scalesim/Googlenet",  "arada/YOLOv4-tiny",
    "scalesim/FaceRecognitionID", "scalesim/FasterRCNN", "scalesim/SpeakerID"};

// The paper's accelerators at a number of words a cycle.
inline Hardware arada_hardware(const std::string& accelerator, double words) {
  Hardware hardware = hardware_of(*systolic::find_accelerator(accelerator), words);
  hardware.array_power = Watts{1};
  return hardware;
}

inline std::vector<Demand> demands_of_network(const std::string& name, const Hardware& hardware) {
  systolic::ScheduleCache cache;
  return *demands_of(*systolic::zoo_layers(name), hardware, cache);
}

}  // namespace ergon::allocate
