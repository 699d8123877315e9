#include "graph/onnx/declared.h"

#include <exception>
#include <onnx/shape_inference/implementation.h>

#include "graph/onnx/element_types.h"

namespace ergon::graph::onnx {

std::optional<DeclaredShape> declared_shape(const ::onnx::ValueInfoProto& value) {
  if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) return std::nullopt;
  const auto& tensor = value.type().tensor_type();
  DeclaredShape shape;
  shape.type = element_type_of(tensor.elem_type()).value_or(ElementType::float32);
  for (const auto& dim : tensor.shape().dim()) {
    DeclaredShape::Extent extent;
    if (dim.value_case() == ::onnx::TensorShapeProto_Dimension::kDimValue) extent.size = dim.dim_value();
    if (dim.value_case() == ::onnx::TensorShapeProto_Dimension::kDimParam) extent.name = dim.dim_param();
    shape.extents.push_back(std::move(extent));
  }
  return shape;
}

std::map<std::string, DeclaredShape> library_shapes(const ::onnx::ModelProto& model) {
  std::map<std::string, DeclaredShape> shapes;
  ::onnx::ModelProto copy = model;
  try {
    ::onnx::shape_inference::InferShapes(copy);
  } catch (const std::exception&) {
    return shapes;
  }
  for (const auto& value : copy.graph().value_info()) {
    if (auto shape = declared_shape(value)) shapes.emplace(value.name(), std::move(*shape));
  }
  for (const auto& value : copy.graph().output()) {
    if (auto shape = declared_shape(value)) shapes.emplace(value.name(), std::move(*shape));
  }
  return shapes;
}

}  // namespace ergon::graph::onnx
