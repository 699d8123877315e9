#include "graph/onnx/declarations.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::graph::onnx {

Declarations::Declarations(const OnnxModel& model, const ImportOptions& options, const BatchDetection& batch)
    : options_(options), batch_(batch) {
  for (const auto& value : model.proto.graph().value_info()) declare(value);
  for (const auto& value : model.proto.graph().output()) declare(value);
}

void Declarations::declare(const ::onnx::ValueInfoProto& value) {
  if (auto shape = declared_shape(value)) declared_.emplace(value.name(), std::move(*shape));
}

std::optional<Shape> Declarations::find(const std::string& name) const {
  const auto found = declared_.find(name);
  return found == declared_.end() ? std::nullopt : settled(found->second);
}

std::optional<Shape> Declarations::settled(const DeclaredShape& declared) const {
  if (declared.extents.size() > Shape::kMaxRank) return std::nullopt;
  Shape shape;
  for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
    const auto& extent = declared.extents[axis];
    const auto given = options_.dimensions.find(extent.name);
    const bool hole = !extent.size && extent.name.empty();
    if (extent.name == kLibraryBatch || (!hole && batch_.is_batch(extent, axis))) {
      shape.push_back(Dim::batch());
    } else if (extent.size && *extent.size > 0) {
      shape.push_back({*extent.size});
    } else if (!extent.name.empty() && given != options_.dimensions.end()) {
      shape.push_back({given->second});
    } else {
      return std::nullopt;
    }
  }
  return shape;
}

Result<Shape> Declarations::input_shape(const DeclaredShape& declared, bool weight) const {
  if (declared.extents.size() > Shape::kMaxRank)
    return fail(Errc::unsupported, "{} axes are not supported", declared.extents.size());
  Shape shape;
  for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
    const auto& extent = declared.extents[axis];
    if (extent.size && *extent.size < 1) {
      return fail(Errc::invalid_input, "axis {} has invalid extent {}", axis, *extent.size);
    }
    const auto given = options_.dimensions.find(extent.name);
    if (!weight && batch_.is_batch(extent, axis)) {
      shape.push_back(Dim::batch());
    } else if (extent.size) {
      shape.push_back({*extent.size});
    } else if (!extent.name.empty() && given != options_.dimensions.end()) {
      shape.push_back({given->second});
    } else {
      const std::string name = extent.name.empty() ? fmt::format("axis {}", axis)
                                                   : fmt::format("dimension \"{}\"", printable(extent.name));
      return fail(Errc::invalid_input, "{} is symbolic; {}", name,
                  extent.name.empty() ? "export the file with a fixed size or a name"
                                      : fmt::format("set it with --dim {}=N", printable(extent.name)));
    }
  }
  // One, three or four channels before two larger axes: an image.
  const auto few = [](const Dim& dim) { return dim.size == 1 || dim.size == 3 || dim.size == 4; };
  const bool picture = shape.rank() == 4 && few(shape[1]) && !few(shape[3]);
  return picture ? shape.as_image() : shape;
}

Result<> Declarations::check(const std::string& name, const Shape& shape) const {
  const auto found = declared_.find(name);
  if (found == declared_.end()) return {};
  const auto& extents = found->second.extents;
  bool agrees = extents.size() == shape.rank();
  for (std::size_t axis = 0; agrees && axis < shape.rank(); ++axis) {
    const auto real = shape[axis].batched ? batch_.number : std::optional(std::int64_t{1});
    agrees = !extents[axis].size || !real ||
             (Count(shape[axis].size) * *real).value().value_or(-1) == *extents[axis].size;
  }
  if (agrees) return {};
  std::string declared;
  for (const auto& extent : extents) {
    declared += (declared.empty() ? "" : ", ") + (extent.size           ? std::to_string(*extent.size)
                                                  : extent.name.empty() ? std::string("?")
                                                                        : printable(extent.name));
  }
  return fail(Errc::invalid_input, "computed shape {} of \"{}\" differs from the declared ({})",
              to_text(shape), printable(name), declared);
}

}  // namespace ergon::graph::onnx
