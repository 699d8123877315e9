#include "graph/onnx/declared.h"

#include <exception>
#include <onnx/defs/schema.h>
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

std::map<std::string, DeclaredShape> library_shapes(const ::onnx::NodeProto& node,
                                                    const std::map<std::string, DeclaredShape>& inputs,
                                                    std::int64_t opset) {
  std::map<std::string, DeclaredShape> shapes;
  const auto* schema =
      ::onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), node.domain());
  if (schema == nullptr) return shapes;
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  *model.mutable_graph()->add_node() = node;
  for (const auto& [name, shape] : inputs) {
    auto* input = model.mutable_graph()->add_input();
    input->set_name(name);
    auto* tensor = input->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(data_type_of(shape.type));
    tensor->mutable_shape();
    for (const auto& extent : shape.extents) {
      auto* dim = tensor->mutable_shape()->add_dim();
      if (extent.size)
        dim->set_dim_value(*extent.size);
      else if (!extent.name.empty())
        dim->set_dim_param(extent.name);
    }
  }
  try {
    schema->Verify(node);
    ::onnx::shape_inference::InferShapes(model);
  } catch (const std::exception&) {
    return shapes;
  }
  for (const auto& value : model.graph().value_info()) {
    if (auto shape = declared_shape(value)) shapes.emplace(value.name(), std::move(*shape));
  }
  return shapes;
}

}  // namespace ergon::graph::onnx
