// A scenario's document: read, and checked against docs/scenario.schema.json, which both programs
// carry in them. What it means is the business of others.
#pragma once

#include <stdexcept>
#include <string>

#include "json.h"

namespace claude::sim {

// What is wrong, and where: "agent.json:12: turns[0].model[2].chunks: must be a whole number".
struct ScenarioError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `source` names the text in errors. Comments are allowed in it.
Json read_document(const std::string& text, const std::string& source);
Json read_document_file(const std::string& path);

// The same for a list of steps that stands alone; `source` takes the place of file and line.
void check_steps(const Json& steps, const std::string& source);

}  // namespace claude::sim
