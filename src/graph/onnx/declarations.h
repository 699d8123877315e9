#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "graph/onnx/batch_detection.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {

// Shapes that a file declares for its values, with the batch made symbolic and with the dimensions that the
// caller gives.
class Declarations {
 public:
  Declarations(const OnnxModel& model, const ImportOptions& options, const BatchDetection& batch);

  void declare(const ::onnx::ValueInfoProto& value);

  // Empty if an extent other than the batch is unknown.
  std::optional<Shape> find(const std::string& name) const;
  std::optional<Shape> settled(const DeclaredShape& declared) const;

  // Shape of a graph input; every extent must be known or the batch. A weight has no batch.
  Result<Shape> input_shape(const DeclaredShape& declared, bool weight) const;

  // Fails if the file declares another shape for this value.
  Result<> check(const std::string& name, const Shape& shape) const;

 private:
  const ImportOptions& options_;
  BatchDetection batch_;
  std::map<std::string, DeclaredShape> declared_;
};

}  // namespace ergon::graph::onnx
