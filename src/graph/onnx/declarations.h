#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "graph/onnx/batch_reading.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {

// The shapes that a file declares for its values, read with the batch where it is and with the dimensions
// that the caller gives.
class Declarations {
 public:
  Declarations(const Model& model, const ImportOptions& options, const BatchReading& batch);

  void declare(const ::onnx::ValueInfoProto& value);

  // As far as the open batch allows; nothing when an extent stays open.
  std::optional<Shape> find(const std::string& name) const;
  std::optional<Shape> settled(const DeclaredShape& declared) const;

  // Of an input, where every extent must be known or be the batch. A weight has no batch.
  Result<Shape> input_shape(const DeclaredShape& declared, bool weight) const;

  // A file that declares another shape than follows from its operations contradicts itself.
  Result<> check(const std::string& name, const Shape& shape) const;

 private:
  const ImportOptions& options_;
  BatchReading batch_;
  std::map<std::string, DeclaredShape> declared_;
};

}  // namespace ergon::graph::onnx
