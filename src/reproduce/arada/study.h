#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "allocate/survey.h"
#include "base/result.h"

namespace ergon::reproduce {

// Methods of the survey, in its order. "Assumed": with ARADA's time model, and switches cost no energy. All
// others are simulated again at their clocks, and switches cost time and energy.
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
  kGreedyAssumed,
  kOptimalAssumed,
  kOptimalAssumed2,
  kOptimalAssumed5,
  kGreedyAssumed30,
  kOptimalAssumed30,
  kVfOhQMemory,      // energy includes the memory
  kVfOhQMemoryDvfs,  // and the memory clock follows each layer's demand
  kSplitMemoryDvfs,
  kVfOhQFine,  // clock steps of 25 MHz
};

// Figure 3: number of memory-bound and compute-bound layers of EfficientNetB0 under one roofline.
struct RoofCount {
  double tops, gigabytes_per_second;
  std::size_t memory_bound = 0, compute_bound = 0;
};

// Everything that ARADA published numbers for, computed.
struct AradaStudy {
  allocate::Survey survey;  // nine networks, eleven configurations
  allocate::Hardware table_one_hardware;
  allocate::Schedule table_one;  // MobileNet, Edge TPU, 20 GB/s, vf-oh-q
  std::vector<RoofCount> roofs;
  // The HPC TPU with twice the bandwidth of DDR5-4800 and of HBM2, with ideal and vf-oh-q.
  allocate::Survey doubled;

  // Contract: one of the eleven configurations; one of the nine networks.
  std::size_t configuration(const std::string& accelerator, const std::string& memory) const;
  std::size_t network(const std::string& name) const;
};

Result<AradaStudy> study_arada(const std::stop_token& stop);

}  // namespace ergon::reproduce
