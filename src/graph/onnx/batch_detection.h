#pragma once

#include <optional>
#include <set>
#include <string>

#include "graph/network.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {

// Which dimensions of the inputs are the batch, and whether it is symbolic.
struct BatchDetection {
  bool symbolic = false;
  std::set<std::string> names;         // names of batch dimensions; an unnamed first axis always is the batch
  std::optional<std::int64_t> number;  // the batch that the file or the caller fixes

  // The file fixes the batch, but it is imported as symbolic.
  bool made_symbolic() const { return symbolic && number.has_value(); }
  bool is_batch(const DeclaredShape::Extent& extent, std::size_t axis) const;
};

// The batch is a dimension with a name such as "batch" or "N"; else the symbolic first axes; else the number
// that all first axes have in common.
BatchDetection detect_batch(const OnnxModel& model, const ImportOptions& options,
                            const std::set<std::string>& weight_inputs);

// Checks that a node treats samples independently. A first axis that is reduced, multiplied by itself or
// iterated over is not a batch. Returns the error, or nothing.
std::optional<Error> check_samples_independent(const Network& network, const Node& node);

}  // namespace ergon::graph::onnx
