#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/twin/precision.h"
#include "device/twin/specification.h"
#include "graph/network.h"

namespace ergon::device {

// Mean absolute error of a twin on held-out rows, as a share.
struct HeldOutError {
  std::string quantity;  // "time", "power", "energy"
  double mape = 0;
};

// Errors on held-out networks of all tables, weighted by rows; quantities without such rows are omitted.
std::vector<HeldOutError> network_errors(const Specification& gpu);

// The largest mean error of one quantity ("time") among the tables of networks that have held-out rows of
// this kind; absent without such a table. Precisions that the GPU computes alike are one kind: fp32 and tf32
// on a GPU without TF32, bf16 and fp16 on tensor cores.
std::optional<double> largest_network_error(const Specification& gpu, std::string_view quantity,
                                            const RunKind& kind);

// Whether the twin computes both precisions in the same time.
bool is_same_arithmetic(const Specification& gpu, Precision a, Precision b);

// A warning if the GPU has no arithmetic of a 16-bit precision: "v100 does not support bf16: the arithmetic
// is fp32, storage is 16 bits". `tf32` is PyTorch's default and means fp32 on GPUs without TF32, so it is
// supported everywhere.
std::optional<std::string> unsupported_warning(const Specification& gpu, Precision precision);

// What an estimate of the network does not cover: data types whose speed is not modeled, and the warning
// above.
std::vector<std::string> precision_warnings(const graph::Network& network, Precision precision,
                                            const Specification& gpu);

}  // namespace ergon::device
