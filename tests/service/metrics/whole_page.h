#pragma once

#include "service/metrics/cap_metrics.h"
#include "service/metrics/gpu_metrics.h"
#include "service/metrics/service_metrics.h"

namespace ergon::test {

// A GPU with all values.
inline service::GpuReading complete_gpu() {
  service::GpuReading gpu;
  gpu.identity = {"gpu0", "GPU-1", "Tesla \"V100\"", device::DeviceKind::nvml};
  gpu.at = Timestamp{1'700'000'000'123'456'789};
  gpu.responding = true;
  gpu.power = Watts{251.5};
  gpu.energy = Joules{123456.789};
  gpu.core_clock = Hertz{1.38e9};
  gpu.memory_clock = Hertz{8.77e8};
  gpu.temperature = Celsius{55};
  gpu.memory_temperature = Celsius{61};
  gpu.utilization = device::GpuUtilization{0.75, 0.5};
  gpu.memory = device::MemoryUse{bytes(32ULL << 30), bytes(4ULL << 30)};
  gpu.power_limit = Watts{250};
  gpu.event_reasons = device::EventReasons(device::EventReasons::kPowerCap);
  return gpu;
}

inline service::GpuReading processor() {
  service::GpuReading cpu;
  cpu.identity = {"cpu0", "CPU-1", "EPYC", device::DeviceKind::rapl};
  cpu.responding = true;
  cpu.power = Watts{95};
  cpu.energy = Joules{1e6};
  return cpu;
}

inline service::CapReading cap_run() {
  return {"GPU-1", "Tesla \"V100\"", Watts{200}, Watts{190.25}, 32, Hertz{1.2e9}, 1234.5, 17, 2};
}

inline service::ServiceReading busy_service() {
  service::ServiceReading service;
  service.requests = {100, 4, 7, 1};
  service.jobs = {6, 1, 2, 3, 4, 5};
  service.version = "1.2.3";
  service.started = Timestamp{1'700'000'000'500'000'000};
  service.resident_memory = bytes(40ULL << 20);
  return service;
}

// A page with all metrics.
inline std::string whole_page() {
  service::Exposition page;
  service::add_device(page, complete_gpu(), "node-7");
  service::add_device(page, processor(), "node-7");
  service::add_cap(page, cap_run(), "node-7");
  service::add_service(page, busy_service());
  return page.text();
}

}  // namespace ergon::test
