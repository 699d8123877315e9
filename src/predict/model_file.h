#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "predict/model.h"

namespace ergon::predict {

// A model as a JSON document: what it was learned from, how well it does, and its trees, one a line.
std::string write_model(const Model& model);

// Errors: another version or kind of document; a file that ends early or is damaged; features that this
// version does not know.
Result<Model> read_model(std::string_view json, const std::string& source);
Result<Model> read_model_file(const std::string& path);

}  // namespace ergon::predict
