#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "predict/model/model.h"

namespace ergon::predict {

// A model as JSON (ergon.model/6): training data, accuracy, parameters and trees, one tree per line.
std::string write_model(const Model& model);

// `source` names the input in messages. Errors: another schema; a truncated or damaged file; features that
// this version does not have.
Result<Model> read_model(std::string_view text, const std::string& source);
Result<Model> read_model_file(const std::string& path);

}  // namespace ergon::predict
