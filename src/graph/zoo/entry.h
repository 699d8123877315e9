#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph::zoo {

// Input size of a network; 0: not applicable.
struct InputSize {
  std::int64_t size = 0;      // side of the square input image
  std::int64_t sequence = 0;  // tokens, for language models
};

// How the literature counted the neurons of a network.
enum class NeuronCount : std::uint8_t {
  every_layer,     // output elements of every layer, including the input (Keras users)
  weighted_only,   // output elements of convolutions and dense layers (Krizhevsky's AlexNet)
  kernel_artifact  // sum over kernels of the product of all extents but the first, as printed for BiT
};

// A built-in network.
struct Entry {
  std::string family;
  std::string name;
  InputSize default_input;
  std::function<Result<Network>(const InputSize&)> build;
  NeuronCount neurons = NeuronCount::every_layer;
};

// Whether --size or --sequence applies.
inline bool takes_images(const Entry& entry) { return entry.default_input.size > 0; }
inline bool takes_tokens(const Entry& entry) { return entry.default_input.sequence > 0; }

// One list per family.
std::vector<Entry> torchvision_entries();
std::vector<Entry> keras_entries();
std::vector<Entry> slim_entries();
std::vector<Entry> caffe_entries();
std::vector<Entry> darknet_entries();
std::vector<Entry> hf_entries();
std::vector<Entry> bit_entries();
std::vector<Entry> listed_entries();

}  // namespace ergon::graph::zoo
