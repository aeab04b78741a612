// Events and errors in words, whole: two runs are equal when their descriptions are.
#pragma once

#include <string>

#include "core/events.h"

namespace claude::core {

std::string describe(const Event& event);
std::string describe(const Error& error);

}  // namespace claude::core
