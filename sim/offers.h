// What a host is offered with a question: updates of the permissions that would make the question
// needless. Also what decisions are made of.
#pragma once

#include <string>

#include "permissions.h"

namespace claude::sim {

Json permission_rule(const std::string& tool, const std::string& content);
Json rule_offer(const std::string& tool, const std::string& content, const char* destination);
Json mode_offer(const char* mode);
Json directory_offer(const std::string& directory);
// Reading everything below a folder.
Json reading_rule(const std::string& directory);

Decision allowed(const char* reason_type, const char* source = "config");
Decision denied(const std::string& message, const char* reason_type);

std::string parent_of(const std::string& path);

}  // namespace claude::sim
