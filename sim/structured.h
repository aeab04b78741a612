// Structured output: with a schema the model must hand in its answer through a tool of its own.
//
// Knows the rules of that tool (what it accepts, how often it may fail); the turn asks it.
#pragma once

#include <string>

#include "files.h"
#include "json.h"

namespace claude::sim {

// What has become of it in a turn.
class StructuredOutput {
 public:
  static constexpr const char* kTool = "StructuredOutput";

  // Values that came as text, in the type that the schema has for them.
  static Json in_schema_types(const Json& schema, Json answer);
  // The model hands something in.
  ToolOutcome take(const Json& schema, Json answer);

  bool given() const { return !value_.is_null(); }
  const Json& value() const { return value_; }
  bool exhausted() const;
  // For the result of a turn that has exhausted its tries.
  std::string failure() const;
  // What the model is told, once, when it ends without the tool; empty: nothing to say.
  std::string reminder();

 private:
  Json value_;
  int refused_ = 0;
  std::string complaint_;
  bool reminded_ = false;
};

}  // namespace claude::sim
