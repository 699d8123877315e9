#pragma once

#include <google/protobuf/message.h>

#include "fuzz/mutation.h"

// Mutation of protobuf messages that keeps them well-formed: random fields of random messages are changed,
// added, removed, repeated, swapped or taken from elsewhere in the model. By reflection, so that all fields
// of all messages are reached; only the list of words knows ONNX.
namespace ergon::fuzz {

// Changes `model` in one to eight places.
void mutate_model(google::protobuf::Message& model, Random& random);

// Replaces a message within `model` by one of the same type of `other`.
void cross_models(google::protobuf::Message& model, google::protobuf::Message& other, Random& random);

}  // namespace ergon::fuzz
