// Each function blurs one thing only, and only where it may stand.
#include "tolerated.h"

#include <array>

namespace claude::differential {
namespace {

// catalogue-words: prose about commands, agents, models and skills is the CLI's own.
void blur_catalogue(json& value) {
  if (value.is_array())
    for (json& part : value) blur_catalogue(part);
  if (!value.is_object()) return;
  const bool is_row = value.contains("name") || value.contains("displayName");
  for (auto& [key, part] : value.items()) {
    if (is_row && (key == "description" || key == "argumentHint"))
      part = "<words>";
    else
      blur_catalogue(part);
  }
}

void blur_catalogue_words(json& line) {
  if (line.value("type", "") == "control_response") blur_catalogue(line);
}

// stack-traces: the CLI prints its own source when a hook fails; which hook it was is compared.
void blur_stack_trace(json& line) {
  if (line.value("type", "") != "exit") return;
  static const std::string kMark = "Error in hook callback ";
  const std::string text = line["stderr"];
  const std::size_t begin = text.find(kMark);
  if (begin == text.npos) return;
  line["stderr"] = text.substr(0, text.find(':', begin + kMark.size()) + 1);
}

constexpr std::array kTolerated{
    Tolerated{"catalogue-words", blur_catalogue_words},
    Tolerated{"stack-traces", blur_stack_trace},
};

}  // namespace

std::span<const Tolerated> tolerated() {
  return kTolerated;
}

}  // namespace claude::differential
