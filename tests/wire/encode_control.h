// The lines of the control protocol as whoever speaks it would write them: the mirror of
// decode_control.h, from the typed value alone.
#pragma once

#include "wire/line.h"

#include <string>

namespace claude::wire {

std::string encode(const ControlRequest& request);
std::string encode(const ControlResponse& response);
std::string encode(const ControlCancel& cancel);

}  // namespace claude::wire
