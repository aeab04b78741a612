// Takes out of a transcript what two runs of the same program would not share: folders, ids, times,
// process numbers, versions. Ids keep their identity: what was equal stays equal.
#pragma once

#include <filesystem>

#include "differential/transcript.h"

namespace claude::differential {

struct Place {
  std::filesystem::path project;
  std::filesystem::path home;
  std::string gateway;  // host and port of the API
};

Transcript normal_form(const Transcript& transcript, const Place& place);

}  // namespace claude::differential
