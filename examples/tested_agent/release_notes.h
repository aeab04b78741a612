// An agent that writes the release notes of a project, and nothing else.
//
// It may read the history and write NOTES.md; every other tool is refused.
#pragma once

#include <claude/claude.h>

#include <string>

// Takes options, so that a test can hand in those of a simulated CLI.
class ReleaseNotes {
 public:
  explicit ReleaseNotes(claude::Options options = {});

  // What the model says of its work, or the error that it ended with.
  claude::Result<std::string> write_for(const std::string& version);

 private:
  claude::Options options_;
};
