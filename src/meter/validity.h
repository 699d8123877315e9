#pragma once

#include <vector>

#include "meter/measurement.h"

namespace ergon::meter {

// What speaks against a device's part of a measurement; nothing: it is valid.
std::vector<Reason> reasons_against(const Source& source);

// What is good to know about it and speaks against nothing.
std::vector<Reason> notes_on(const Source& source);

}  // namespace ergon::meter
