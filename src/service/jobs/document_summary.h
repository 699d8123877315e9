#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ergon::service {

// A row in the list of stored documents.
struct DocumentSummary {
  std::string schema, created;  // created: empty if unknown
  bool simulated = false;
};

// Reads "schema" and "provenance" of a JSON document, which Ergon writes first. Of a large file only the
// first 256 KiB are read, so this takes little time and memory whatever its size. Empty if the file cannot be
// read, or is not a document: not an object, without a schema, invalid or nested too deeply as far as it was
// read.
std::optional<DocumentSummary> summary_of_document(const std::filesystem::path& file);

}  // namespace ergon::service
