#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "graph/network.h"

namespace ergon::app {

// C. Nicolai, On Energy Modeling of Deep Neural Network Operations (master thesis, Heidelberg University).
// What its chapter 5.3 predicts: 18 networks at their input sizes, which it knew nothing of, at six core
// clocks of an A30. The text has their number; which they are is in the author's scripts and their output
// (github.com/ConstantinNicolai/ml-operator-profiling, folder random_forest).
struct ThesisSet {
  std::string network;
  std::int64_t size;

  std::string text() const;  // "resnet50 115"
};

const std::vector<ThesisSet>& thesis_sets();
inline constexpr std::int64_t kThesisBatch = 32;

inline constexpr std::array kThesisClocks{Hertz{210e6}, Hertz{300e6},  Hertz{600e6},
                                          Hertz{900e6}, Hertz{1200e6}, Hertz{1440e6}};
inline constexpr Hertz kThesisEnergyClock{900e6}, kThesisEnergyDelayClock{1200e6};

Result<graph::Network> build(const ThesisSet& set);

}  // namespace ergon::app
