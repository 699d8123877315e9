#pragma once

#include <string_view>

#include "service/metrics/exposition.h"
#include "service/metrics/gpu_reading.h"
#include "service/metrics/watch.h"

namespace ergon::service {

// What tells the devices of a data centre apart: uuid, name, host. All metrics of devices have these labels
// and no others, so that there are as many series as devices.
Labels device_labels(std::string_view uuid, std::string_view name, std::string_view host);

// GPUs and twins as ergon_gpu_, processors and their memories as ergon_cpu_. One that does not answer is 0 in
// ..._up and has no other readings.
void add_device(Exposition& page, const GpuReading& reading, std::string_view host);
void add_devices(Exposition& page, const WatchSnapshot& snapshot, std::string_view host);

}  // namespace ergon::service
