// What a resumed session finds again: costs, title, and files as they were.
#include "backups.h"

#include <iterator>

#include "session.h"

namespace claude::sim {

std::string backup_folder(const std::string& session_id) {
  return config_folder() + "/file-history/" + session_id;
}

void recall(Session& session, const Past& past) {
  for (const Json& row : past.rows) {
    const std::string type = text_of(row, "type");
    if (type == "cost-state") session.ledger.restore(row);
    if (type == "custom-title") session.title = text_of(row, "customTitle");
    if (type == "user") session.past_prompts.insert(text_of(row, "uuid"));
    const Json& result = member(row, "toolUseResult");
    const std::string read = text_of(member(result, "file"), "filePath");
    if (const std::string path = text_of(result, "filePath", read); !path.empty())
      session.files.recall_known(absolute(path, session.cwd));
    if (type == "file-history-snapshot") session.files.begin_prompt(text_of(row, "messageId"));
    if (type == "file-history-delta") {
      std::optional<std::string> content;
      if (const Json& name = member(member(row, "backup"), "backupFileName"); name.is_string())
        content = content_of(backup_folder(past.id) + "/" + name.get<std::string>()).value_or("");
      session.files.recall(text_of(row, "trackingPath"), content);
    }
  }
}

}  // namespace claude::sim
