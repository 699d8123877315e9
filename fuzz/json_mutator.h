#pragma once

#include <nlohmann/json.hpp>

// Mutation of JSON documents that keeps them JSON: values are replaced by unusual ones or by others of the
// document, moved, repeated, wrapped and removed. libFuzzer's mutation of bytes rarely gets past a parser.
// fuzz/CMakeLists.txt lists the targets that use it.
namespace ergon::fuzz {

// A target may define it: restores what random changes break, e.g. a checksum or a sum. Applied to three of
// four mutations.
[[gnu::weak]] void repair_document(nlohmann::ordered_json& document);

}  // namespace ergon::fuzz
