#pragma once

#include <string>
#include <vector>

#include "device/nvml/abi.h"
#include "device/twin/specification.h"

namespace ergon::fake_nvml {

// Product data that a driver reports and a twin does not contain.
struct Product {
  std::string name;
  device::nvml::Architecture architecture = device::nvml::Architecture::unknown;
  int capability_major = 0, capability_minor = 0;
  unsigned cores_per_multiprocessor = 64;
  device::nvml::Brand brand = device::nvml::Brand::nvidia;
  std::vector<unsigned> memory_mhz;  // descending; the twin always runs at the first
  unsigned bus_bits = 0;
  unsigned pci_device = 0;  // the lower half is the vendor id
  unsigned pcie_generation = 3;
  bool stacked_memory = false;  // HBM, which has a temperature sensor
  bool mig = false;
  bool ecc = false;
  unsigned nvlinks = 0, nvlink_version = 0;  // the version as NVML numbers it
  unsigned nvlink_mb_per_s = 0;              // of a link, in one direction
  unsigned memory_banks = 0;                 // with spare rows; 0: not known
  std::string vbios = "00.00.00.00.00", part_number = "900-00000-0000-000";

  // Controls by GPU generation.
  bool has_application_clocks() const { return brand != device::nvml::Brand::geforce; }
  bool sets_application_clocks() const {
    return has_application_clocks() && architecture <= device::nvml::Architecture::ampere;
  }
  bool locks_core_clock() const { return architecture >= device::nvml::Architecture::volta; }
  bool locks_memory_clock() const { return architecture >= device::nvml::Architecture::ampere; }

  bool has_serial() const { return brand != device::nvml::Brand::geforce; }
  bool has_mig() const { return mig; }
  // Memory errors.
  bool remaps_rows() const { return ecc && architecture >= device::nvml::Architecture::ampere; }
  bool retires_pages() const { return ecc && architecture < device::nvml::Architecture::ampere; }
};

// By the twin's chip and name. An unknown chip has an unknown architecture and the controls of the newest
// one.
Product product_of(const device::Specification& gpu);

}  // namespace ergon::fake_nvml
