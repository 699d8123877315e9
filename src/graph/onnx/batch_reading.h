#pragma once

#include <optional>
#include <set>
#include <string>

#include "graph/network.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {

// Where the inputs hold the batch, and how it is read.
struct BatchReading {
  bool open = false;
  std::set<std::string> names;         // dimensions that are the batch; an unnamed first axis always is
  std::optional<std::int64_t> number;  // what the file or the caller fixes

  // A file that fixes the batch, read as if it did not.
  bool reopened() const { return open && number.has_value(); }
  bool is_batch(const DeclaredShape::Extent& extent, std::size_t axis) const;
};

// The batch is what is called so; without such a name, the open first axes; without those, the number that
// all first axes share.
BatchReading declared_batch(const Model& model, const ImportOptions& options,
                            const std::set<std::string>& absent_weights);

// A first axis that was taken for the batch turns out to be something else when samples meet each other along
// it: it is summed over, multiplied by itself, or walked step by step. Nothing when all is well.
std::optional<Error> samples_meet(const Network& network, const Node& node);

}  // namespace ergon::graph::onnx
