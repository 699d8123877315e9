#include "profile/run_condition.h"

namespace ergon::profile {

std::string_view name_of(Layout layout) { return layout == Layout::nchw ? "nchw" : "nhwc"; }

Layout default_layout(device::Precision precision) {
  return device::bytes_of(precision) == 2 ? Layout::nhwc : Layout::nchw;
}

}  // namespace ergon::profile
