#include "report/roofline_json.h"

#include <nlohmann/json.hpp>

#include "report/systolic_json.h"

namespace ergon::report {

using namespace systolic;

nlohmann::ordered_json roofline_json(const std::string& network, const Rooflines& rooflines,
                                     std::span<const RooflineChart> charts, std::span<const Layer> layers) {
  nlohmann::ordered_json roofs = nlohmann::ordered_json::array();
  for (const RooflineChart& chart : charts) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const RooflinePoint& point = chart.points[i];
      rows.push_back({{"name", layers[i].name},
                      {"kind", name_of(kind_of(layers[i].geometry))},
                      {"operations", point.operations},
                      {"traffic_bytes", point.traffic.si()},
                      {"operations_per_byte", point.intensity},
                      {"attainable_operations_per_second", point.attainable_ops},
                      {"attained_operations_per_second", *point.attained_ops},
                      {"bound", point.memory_bound ? "memory" : "compute"}});
    }
    roofs.push_back({{"peak_operations_per_second", chart.roof.peak_ops},
                     {"clock_hertz", chart.clock.si()},
                     {"bandwidth_bytes_per_second", chart.roof.bandwidth.si()},
                     {"ridge_operations_per_byte", chart.roof.ridge()},
                     {"layers", std::move(rows)}});
  }
  return {{"network", network},
          {"accelerator", rooflines.accelerator.name},
          {"machine", machine_json(rooflines.accelerator.machine)},
          {"roofs", std::move(roofs)}};
}

}  // namespace ergon::report
