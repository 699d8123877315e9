#include "product.h"

#include <string_view>

namespace ergon::fake_nvml {
namespace {

using device::nvml::Architecture;
using device::nvml::Brand;

struct Chip {
  std::string_view name;
  Architecture architecture;
  int major, minor;
  unsigned cores;  // per multiprocessor
  unsigned pcie;
};

// NVIDIA's CUDA programming guide (compute capabilities) and the architectures' white papers.
constexpr Chip kChips[] = {
    {"GP100", Architecture::pascal, 6, 0, 64, 3},  {"GP102", Architecture::pascal, 6, 1, 128, 3},
    {"GV100", Architecture::volta, 7, 0, 64, 3},   {"TU102", Architecture::turing, 7, 5, 64, 3},
    {"GA100", Architecture::ampere, 8, 0, 64, 4},  {"GA102", Architecture::ampere, 8, 6, 128, 4},
    {"GH100", Architecture::hopper, 9, 0, 128, 5},
};

struct Board {
  std::string_view twin, name;
  Brand brand;
  unsigned memory_mhz, bus_bits, pci_device;
  bool stacked, ecc;
  unsigned lower_memory_mhz = 0;  // 0: no second memory clock
  unsigned nvlinks = 0, nvlink_version = 0;
  unsigned memory_banks = 0;
};

// As nvml.h numbers NVLink 3.0 and 4.0, and the MB/s of a link in one direction that nvidia-smi prints.
constexpr unsigned kNvlink3 = 4, kNvlink4 = 6, kNvlink3Speed = 25000, kNvlink4Speed = 26562;

// Product data for display by clients. Memory clocks come from measured tables, the H200 from a driver, the
// rest from data sheets (partly recalled, not verified); banks from public output of nvidia-smi.
constexpr Board kBoards[] = {
    {"p100", "Tesla P100-PCIE-16GB", Brand::tesla, 715, 4096, 0x15f8, true, true},
    {"p40", "Tesla P40", Brand::tesla, 3615, 384, 0x1b38, false, true},
    {"v100", "Tesla V100-PCIE-32GB", Brand::tesla, 877, 4096, 0x1db6, true, true},
    {"v100s", "Tesla V100S-PCIE-32GB", Brand::tesla, 1107, 4096, 0x1df6, true, true},
    {"rtx2080ti", "NVIDIA GeForce RTX 2080 Ti", Brand::geforce, 7000, 352, 0x1e04, false, false},
    {"rtx6000", "Quadro RTX 6000", Brand::quadro_rtx, 7000, 384, 0x1e30, false, true},
    {"a30", "NVIDIA A30", Brand::nvidia, 1215, 3072, 0x20b7, true, true},
    {"a40", "NVIDIA A40", Brand::nvidia, 7251, 384, 0x2235, false, true},
    {"a100-pcie-40", "NVIDIA A100-PCIE-40GB", Brand::nvidia, 1215, 5120, 0x20f1, true, true},
    {"a100-sxm-80", "NVIDIA A100-SXM4-80GB", Brand::nvidia, 1593, 5120, 0x20b2, true, true, 0, 12, kNvlink3,
     640},
    {"h100", "NVIDIA H100", Brand::nvidia, 1593, 5120, 0x2330, true, true, 0, 18, kNvlink4, 2560},
    {"h200", "NVIDIA H200", Brand::nvidia, 3201, 6016, 0x2335, true, true, 2201, 18, kNvlink4, 3072},
};

constexpr unsigned kVendor = 0x10de;
constexpr unsigned kUnknownMemoryMhz = 1000;

}  // namespace

Product product_of(const device::Specification& gpu) {
  Product product;
  product.name = gpu.title;
  product.memory_mhz = {kUnknownMemoryMhz};
  product.pci_device = kVendor;
  product.mig = gpu.chip == "GA100" || gpu.chip == "GH100";
  for (const Chip& chip : kChips) {
    if (chip.name != gpu.chip) continue;
    product.architecture = chip.architecture;
    product.capability_major = chip.major;
    product.capability_minor = chip.minor;
    product.cores_per_multiprocessor = chip.cores;
    product.pcie_generation = chip.pcie;
  }
  for (const Board& board : kBoards) {
    if (board.twin != gpu.name) continue;
    product.name = board.name;
    product.brand = board.brand;
    product.memory_mhz = {board.memory_mhz};
    if (board.lower_memory_mhz != 0) product.memory_mhz.push_back(board.lower_memory_mhz);
    product.bus_bits = board.bus_bits;
    product.pci_device = board.pci_device << 16 | kVendor;
    product.stacked_memory = board.stacked;
    product.ecc = board.ecc;
    product.nvlinks = board.nvlinks;
    product.nvlink_version = board.nvlink_version;
    product.nvlink_mb_per_s = board.nvlink_version == kNvlink3 ? kNvlink3Speed : kNvlink4Speed;
    product.memory_banks = board.memory_banks;
  }
  return product;
}

}  // namespace ergon::fake_nvml
