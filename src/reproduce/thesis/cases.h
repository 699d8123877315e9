#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "graph/network.h"

namespace ergon::reproduce {

// C. Nicolai, On Energy Modeling of Deep Neural Network Operations (master thesis, Heidelberg University).
// The test set of its chapter 5.3: 18 networks with their input sizes, at six core clocks of an A30. The text
// gives only their number; the author's scripts and their output name them
// (github.com/ConstantinNicolai/ml-operator-profiling, folder random_forest).
struct ThesisCase {
  std::string network;
  std::int64_t size;

  std::string text() const;  // "resnet50 115"
};

const std::vector<ThesisCase>& thesis_cases();
inline constexpr std::int64_t kThesisBatch = 32;

inline constexpr std::array kThesisClocks{Hertz{210e6}, Hertz{300e6},  Hertz{600e6},
                                          Hertz{900e6}, Hertz{1200e6}, Hertz{1440e6}};
inline constexpr Hertz kThesisEnergyClock{900e6}, kThesisEnergyDelayClock{1200e6};

Result<graph::Network> build(const ThesisCase& test_case);

}  // namespace ergon::reproduce
