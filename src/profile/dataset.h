#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "profile/row.h"

namespace ergon::profile {

// The operations of one iteration of a network, with their counts.
struct Composition {
  std::string network;
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  struct Part {
    std::string operation;  // Subject::id
    std::int64_t count = 1;
  };
  std::vector<Part> parts;
};

// The contents of a dataset folder.
struct DatasetContents {
  std::vector<Row> rows;  // operations, then networks, in file order
  std::vector<Composition> compositions;
  std::map<std::string, std::string> products;  // product by UUID; " (simulated)" is appended for twins

  bool simulated() const;  // some of the rows are
};

// A folder of measured rows:
//
//   operations.csv, networks.csv   one row per measured operation or network
//   composition.csv                the operations of each network
//   provenance.json                device, driver, engine and method: one entry per session
//   networks/                      networks from files, without weights
//
// Rows are appended one by one and are on disk when append() returns. A kill may leave an incomplete last
// line, which is removed when the folder is opened again, so at most one row is lost. One process writes at a
// time.
class Dataset {
 public:
  // Creates or opens the folder. Errors: it contains rows and `resume` is false; it is not a dataset; another
  // process writes to it; a file is damaged before its last line, with the line number.
  struct OpenOptions {
    bool resume = false;
  };
  static Result<Dataset> open(const std::string& folder, const OpenOptions& opening);
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;
  ~Dataset();

  // Keys that need not be measured again: those whose newest row has not failed.
  const std::set<Key>& keys() const;
  // As in DatasetContents.
  std::map<std::string, std::string> products() const;
  // Starts a session. `provenance`: device, driver, engine and method; a JSON object. Returns the number of
  // the session, from 1, which its rows refer to.
  Result<std::int64_t> begin_session(const nlohmann::ordered_json& provenance);
  // Replaces an earlier row with the same key. After an error the file is unchanged. Contract: the row's
  // session was started. Errors: internal for a value that could not be read back.
  Result<> append(const Row& row);
  // Replaces the composition of the same network, batch and mode. No effect if it is already stored.
  Result<> append(const Composition& composition);

 private:
  class Files;
  explicit Dataset(std::unique_ptr<Files> files);
  std::unique_ptr<Files> files_;
};

// Reads a dataset; of rows with the same key, the last. May be called while another process writes. Errors:
// not_found, if there is no dataset; a damaged line.
Result<DatasetContents> read_dataset(const std::string& folder);

// Merges datasets into a new one, which is created complete or not at all. Sessions are renumbered. Of rows
// with the same key, measured rows take precedence, then later ones (by `at`); of compositions, the last one
// is used. Errors: those of read_dataset(); `into` exists.
struct MergeSummary {
  std::int64_t rows = 0;      // of the new dataset
  std::int64_t replaced = 0;  // rows that another row with the same key replaced
  bool simulated = false;     // at least one row is
};
Result<MergeSummary> merge_datasets(const std::vector<std::string>& folders, const std::string& into);

}  // namespace ergon::profile
