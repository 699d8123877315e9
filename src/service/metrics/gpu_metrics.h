#pragma once

#include <string_view>

#include "service/metrics/device_monitor.h"
#include "service/metrics/exposition.h"
#include "service/metrics/gpu_reading.h"

namespace ergon::service {

// Labels of a device: uuid, name, host. All device metrics have exactly these labels, so that each metric has
// one series per device.
Labels device_labels(std::string_view uuid, std::string_view name, std::string_view host);

// GPUs and twins are ergon_gpu_*, processors and their memories ergon_cpu_*. A device that does not respond
// has only ..._up, with value 0.
void add_device(Exposition& page, const GpuReading& reading, std::string_view host);
void add_devices(Exposition& page, const MonitorSnapshot& snapshot, std::string_view host);

}  // namespace ergon::service
