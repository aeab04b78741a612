// Where the CLI keeps files as they were before it changed them.
#pragma once

#include <string>

namespace claude::sim {

std::string backup_folder(const std::string& session_id);

}  // namespace claude::sim
