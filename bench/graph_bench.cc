// Time to build and cost the zoo, to import an ONNX file (compared with the onnx library's parsing and shape
// inference), and of `ergon inspect`. Usage: bench_graph FOLDER ERGON

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "base/file.h"
#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace {

using namespace ergon;
namespace zoo = graph::zoo;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median_of(int times, const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) taken.push_back(milliseconds(work));
  std::sort(taken.begin(), taken.end());
  return taken[taken.size() / 2];
}

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "bench_graph: %s failed\n", what);
  std::exit(1);
}

void row(const char* what, double taken, const char* bar) {
  std::printf("%-58s %9.2f  %s\n", what, taken, bar);
}

void whole_zoo() {
  for (const zoo::Entry& entry : zoo::entries()) {
    const auto network = zoo::build(entry);
    must(bool(network), "build");
    must(bool(graph::network_costs(*network, 1, graph::Mode::inference)), "bill");
  }
}

// The same model with zeros for weights.
void write_with_weights(const std::string& from, const std::string& to) {
  std::ifstream file(from, std::ios::binary);
  ::onnx::ModelProto model;
  must(model.ParseFromIstream(&file), "the library's parser");
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.data_location() != ::onnx::TensorProto::EXTERNAL) continue;
    std::size_t size = sizeof(float);
    for (const std::int64_t extent : tensor.dims()) size *= static_cast<std::size_t>(extent);
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(std::string(size, '\0'));
  }
  must(bool(write_file(to, model.SerializeAsString())), "write");
}

void library_alone(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ::onnx::ModelProto model;
  must(model.ParseFromIstream(&file), "the library's parser");
  ::onnx::shape_inference::InferShapes(model);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string folder = argv[1];
  const std::string ergon = argv[2];
  std::printf("%-58s %9s  %s\n", "median of nine", "ms", "target ms");
  row("build and cost the whole zoo (91 networks)", median_of(9, whole_zoo), "150");

  for (const char* name : {"densenet201", "efficientnet_b7", "swin_v2_b", "bert_base"}) {
    const std::string path = folder + "/" + name + ".onnx";
    const auto network = zoo::build(**zoo::find(name));
    const auto bytes = graph::onnx::export_onnx(*network);
    must(bytes && write_file(path, *bytes), "export");
    const auto import = [&] { must(bool(graph::onnx::import_onnx_file(path, {})), "import"); };
    row(("import " + std::string(name) + ".onnx").c_str(), median_of(9, import),
        std::string(name) == "densenet201" ? "60" : "");
    row(("  the onnx library alone: parse and infer shapes"), median_of(9, [&] { library_alone(path); }), "");
  }

  const std::string heavy = folder + "/densenet201-with-weights.onnx";
  write_with_weights(folder + "/densenet201.onnx", heavy);
  row("import densenet201.onnx with 81 MB of weights inside",
      median_of(9, [&] { must(bool(graph::onnx::import_onnx_file(heavy, {})), "import"); }), "60");
  row("  the onnx library alone: parse and infer shapes", median_of(9, [&] { library_alone(heavy); }), "");

  double worst = 0;
  std::string slowest;
  std::vector<double> all;
  for (const zoo::Entry& entry : zoo::entries()) {
    const std::string command = ergon + " inspect " + entry.family + "/" + entry.name + " >/dev/null";
    const double taken = median_of(5, [&] { must(std::system(command.c_str()) == 0, "ergon inspect"); });
    all.push_back(taken);
    if (taken > worst) {
      worst = taken;
      slowest = entry.family + "/" + entry.name;
    }
  }
  std::sort(all.begin(), all.end());
  row("ergon inspect NET: median network", all[all.size() / 2], "50");
  row(("  the slowest: " + slowest).c_str(), worst, "50");
  return 0;
}
