#pragma once

#include <ergon/device.h>
#include <ergon/network.h>
#include <ergon/predict.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "device/lease/lease.h"
#include "graph/network.h"
#include "predict/predictor.h"
#include "sources/network_source.h"

namespace ergon::api {
class RunningTwin;
}  // namespace ergon::api

namespace ergon {

// What the classes of the public API hold. These types are not exported.

struct Network::State {
  sources::NetworkSource source;
  graph::Network network;  // as in its file
  graph::Network fused;    // as a framework runs it
};

struct Device::State {
  std::shared_ptr<device::Device> device;
  api::RunningTwin* twin = nullptr;  // the same device, if it is a twin
  DeviceIdentity identity;
  DeviceCapabilities capabilities;
};

struct Predictor::State {
  predict::Predictor predictor;
  std::vector<std::string> files;  // that were read
};

struct PreparedNetwork::State {
  predict::Predictor predictor;  // a cheap copy: it shares the device and the model
  predict::PreparedNetwork prepared;
};

// Lets the files of this folder reach what handles hold.
struct Access {
  using DeviceState = Device::State;

  static const graph::Network& fused(const Network& network) { return network.state_->fused; }
  static const Network::State& state(const Network& network) { return *network.state_; }
  static const std::shared_ptr<device::Device>& device(const Device& device) { return device.state_->device; }
  static Device make_device(std::shared_ptr<Device::State> state) { return Device(std::move(state)); }
  static const predict::Predictor& predictor(const Predictor& predictor) {
    return predictor.state_->predictor;
  }
  static const std::vector<std::string>& files(const Predictor& predictor) { return predictor.state_->files; }
};

}  // namespace ergon
