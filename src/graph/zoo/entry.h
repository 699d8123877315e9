#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph::zoo {

// What can be chosen about a network before it is built.
struct Choice {
  std::int64_t size = 0;      // side of the square input image
  std::int64_t sequence = 0;  // tokens, for language models
};

// How the figure called "neurons" in the literature was counted for a network.
enum class NeuronCount : std::uint8_t {
  every_layer,     // output elements of every layer, the input included (Keras users)
  weighted_only,   // output elements of convolutions and dense layers (Krizhevsky's AlexNet)
  kernel_artefact  // a product over kernel shapes without their first extent, as printed for the BiT networks
};

// A network that Ergon can build.
struct Entry {
  std::string family;
  std::string name;
  Choice usual;  // what it is built with when nothing is chosen
  std::function<Result<Network>(const Choice&)> build;
  NeuronCount neurons = NeuronCount::every_layer;
};

// Which of the two choices a network has: images by their side, texts by their length.
inline bool takes_images(const Entry& entry) { return entry.usual.size > 0; }
inline bool takes_tokens(const Entry& entry) { return entry.usual.sequence > 0; }

// One list per family, each in its own folder.
std::vector<Entry> torchvision_entries();
std::vector<Entry> keras_entries();
std::vector<Entry> slim_entries();
std::vector<Entry> caffe_entries();
std::vector<Entry> darknet_entries();
std::vector<Entry> hf_entries();
std::vector<Entry> bit_entries();
std::vector<Entry> listed_entries();

}  // namespace ergon::graph::zoo
