#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "allocate/survey.h"
#include "base/result.h"

namespace ergon::app {

// The methods of the survey, in its order. "Promised" is ARADA's own view of time, without energy for changes
// of clock; the others are re-simulated and pay both.
enum AradaMethod : std::size_t {
  kIdeal,
  kVfOh,
  kVfOhQ,
  kOptimal,
  kOptimal2,
  kOptimal5,
  kSplit,
  kSplit2,
  kSplit5,
  kGreedyPromised,
  kOptimalPromised,
  kOptimalPromised2,
  kOptimalPromised5,
  kGreedyPromised30,
  kOptimalPromised30,
  kVfOhQMemory,      // the memory on the bill
  kVfOhQMemoryDvfs,  // and slowed to what each layer asks for
  kSplitMemoryDvfs,
  kVfOhQFine,  // levels 25 MHz apart
};

// Figure 3: how many layers of EfficientNetB0 lie in which region of a roof.
struct RoofCount {
  double tops, gigabytes_per_second;
  std::size_t memory_bound = 0, compute_bound = 0;
};

// Everything that ARADA published numbers of, computed.
struct AradaStudy {
  allocate::Survey survey;  // nine networks, eleven configurations
  allocate::Hardware table_one_hardware;
  allocate::Schedule table_one;  // MobileNet, Edge TPU, 20 GB/s, vf-oh-q
  std::vector<RoofCount> roofs;
  // The HPC TPU with twice the bandwidth of DDR5-4800 and of HBM2, by ideal and vf-oh-q.
  allocate::Survey doubled;

  // Contract: it is one of the eleven, and one of the nine.
  std::size_t configuration(const std::string& accelerator, const std::string& memory) const;
  std::size_t network(const std::string& name) const;
};

Result<AradaStudy> study_arada(const std::stop_token& stop);

}  // namespace ergon::app
