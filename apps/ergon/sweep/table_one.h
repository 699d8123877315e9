#pragma once

#include <string>
#include <vector>

namespace ergon::app {

// The 31 networks of Table 1 in Drechsler, Metz and Plump, "Energy-Efficient CNN inferencing on GPUs with
// Dynamic Frequency Scaling", as the paper calls them, and where the zoo has them.
struct ListedNetwork {
  std::string name, place;
};
const std::vector<ListedNetwork>& table_one();

}  // namespace ergon::app
