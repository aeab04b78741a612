// Blocks of text, pictures and resources, as the CLI hands them to the model.
#include "mcp_result.h"

#include "ids.h"
#include "lines.h"

namespace claude::sim {
namespace {

// Blocks of an MCP result as the model gets them. `folder`: where pictures are said to be kept.
Json model_blocks(const Json& content, const std::string& server, const std::string& folder) {
  Json blocks = Json::array();
  for (const Json& block : content) {
    const std::string type = text_of(block, "type");
    const Json& resource = member(block, "resource");
    if (type == "resource_link") {
      blocks.push_back(
          text_block("[Resource link: " + text_of(block, "name") + "] " + text_of(block, "uri")));
    } else if (type == "resource") {
      blocks.push_back(text_block("[Resource from " + server + " at " + text_of(resource, "uri") +
                                  "] " + text_of(resource, "text")));
    } else if (type == "image") {
      const std::string media_type = text_of(block, "mimeType");
      Json image = Json::object();
      image["type"] = "image";
      image["source"]["type"] = "base64";
      image["source"]["media_type"] = media_type;
      image["source"]["data"] = text_of(block, "data");
      blocks.push_back(image);
      blocks.push_back(text_block("[Image: source: " + folder + "/mcp-" + server + "-blob-" +
                                  std::to_string(wall_ms()) + "-sim." +
                                  media_type.substr(media_type.find('/') + 1) + "]"));
    } else {
      blocks.push_back(block);
    }
  }
  return blocks;
}

Json links_in(const Json& content) {
  Json links = Json::array();
  for (const Json& block : content) {
    if (text_of(block, "type") != "resource_link") continue;
    Json link = block;
    link.erase("type");
    links.push_back(link);
  }
  return links;
}

std::string plain_text(const Json& content) {
  std::string text;
  for (const Json& block : content) text += (text.empty() ? "" : "\n") + text_of(block, "text");
  return text;
}

}  // namespace

ToolOutcome outcome_of(const Json& response, const std::string& server, const std::string& tool,
                       const std::string& folder) {
  if (has(response, "error")) return tool_failure(text_of(response["error"], "message"));
  const Json& result = member(response, "result");
  const Json& content = member(result, "content");
  if (flag_of(result, "isError")) {
    ToolOutcome failure = tool_failure(plain_text(content));
    failure.content = plain_text(content) +
                      "\n\nThis tool's input schema was not in your prompt when you called it.";
    return failure;
  }
  ToolOutcome outcome;
  if (has(result, "structuredContent")) {
    outcome.content = dump(result["structuredContent"]);
    outcome.result["content"] = outcome.content;
    outcome.result["structuredContent"] = result["structuredContent"];
    return outcome;
  }
  outcome.result = outcome.content = model_blocks(content, server, folder);
  if (const Json links = links_in(content); !links.empty()) {
    outcome.result = Json::object();
    outcome.result["content"] = outcome.content;
    outcome.result["resourceLinks"] = links;
  }
  if (content.empty())
    outcome.content = "(mcp__" + server + "__" + tool + " completed with no output)";
  return outcome;
}

}  // namespace claude::sim
