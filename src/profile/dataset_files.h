#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "profile/dataset.h"

namespace ergon::profile {

// File names in a dataset folder.
inline constexpr std::string_view kOperationsFile = "operations.csv";
inline constexpr std::string_view kNetworksFile = "networks.csv";
inline constexpr std::string_view kCompositionFile = "composition.csv";
inline constexpr std::string_view kProvenanceFile = "provenance.json";
// Networks from files, as ONNX without weights.
inline constexpr std::string_view kNetworksFolder = "networks";

std::filesystem::path rows_path(const std::filesystem::path& folder, Subject::Kind kind);

// The files of kNetworksFolder, sorted by name.
std::vector<std::filesystem::path> stored_networks(const std::filesystem::path& folder);

// The entries of a file and the size of its complete part. A missing file has no entries.
template <typename Entry>
struct LoadedFile {
  std::vector<Entry> entries;
  std::size_t size = 0;   // of the file
  std::size_t whole = 0;  // bytes up to the end of the last complete entry
  // The header is the one that this version writes, or the file is empty: rows can be appended.
  bool same_columns = true;
};
Result<LoadedFile<Row>> load_rows(const std::filesystem::path& folder, Subject::Kind kind);
Result<LoadedFile<Composition>> load_compositions(const std::filesystem::path& folder);

// The sessions of provenance.json: session n is at n - 1. Errors: not_found if there is no such file.
Result<std::vector<nlohmann::ordered_json>> load_sessions(const std::filesystem::path& folder);
Result<> save_sessions(const std::filesystem::path& folder,
                       const std::vector<nlohmann::ordered_json>& sessions);

// Product by UUID; " (simulated)" is appended for twins.
std::map<std::string, std::string> products_of(const std::vector<nlohmann::ordered_json>& sessions);

// Keeps the last row of each key, and the last composition of each network, batch and mode.
std::vector<Row> newest(std::vector<Row> rows);
std::vector<Composition> newest(std::vector<Composition> compositions);

}  // namespace ergon::profile
