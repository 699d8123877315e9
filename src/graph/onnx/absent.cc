// Built instead of the importer if the onnx library is missing (ERGON_REDUCED in cmake/ErgonLibraries.cmake).

#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {
namespace {

Error absent() { return fail(Errc::unsupported, "this build of ergon has no ONNX support"); }

}  // namespace

Result<Network> import_onnx(std::string_view, const std::string&, const ImportOptions&) { return absent(); }

Result<Network> import_onnx_file(const std::string&, const ImportOptions&) { return absent(); }

Result<ImportedModel> import_onnx_with_weights(std::string_view, const std::string&, const ImportOptions&) {
  return absent();
}

Result<ImportedModel> import_onnx_with_weights(const std::string&, const ImportOptions&) { return absent(); }

Result<std::string> structure_only_onnx(const std::string&) { return absent(); }

Result<std::string> export_onnx(const Network&) { return absent(); }

}  // namespace ergon::graph::onnx
