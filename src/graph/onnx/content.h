#pragma once

#include "base/result.h"
#include "graph/content.h"
#include "graph/onnx/constant_values.h"
#include "graph/onnx/import_record.h"
#include "graph/onnx/model.h"

namespace ergon::graph::onnx {

// Attributes and constants of an imported network's nodes. Fails with the first constant without data.
Result<Content> content_of(const OnnxModel& model, const ImportRecord& record, ConstantValues& constants);

}  // namespace ergon::graph::onnx
