#pragma once

#include "base/result.h"
#include "graph/content.h"
#include "graph/onnx/constant_values.h"
#include "graph/onnx/model.h"
#include "graph/onnx/notes.h"

namespace ergon::graph::onnx {

// What the nodes of an imported network hold. Fails with the first number that is needed and not there.
Result<Content> content_of(const Model& model, const Notes& notes, ConstantValues& constants);

}  // namespace ergon::graph::onnx
