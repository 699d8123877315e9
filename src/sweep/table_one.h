#pragma once

#include <string>
#include <vector>

namespace ergon::sweep {

// The 31 networks of Table 1 in Drechsler, Metz and Plump, "Energy-Efficient CNN inferencing on GPUs with
// Dynamic Frequency Scaling": the name in the paper and in the zoo.
struct ListedNetwork {
  std::string name, zoo_name;
};
const std::vector<ListedNetwork>& table_one();

}  // namespace ergon::sweep
