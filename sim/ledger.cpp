// Prices, and the tables of usage as the CLI writes them.
#include "ledger.h"

#include <cmath>

#include "catalog.h"

namespace claude::sim {
namespace {

// Dollars for a million tokens in, and out.
std::pair<double, double> prices(const std::string& model) {
  if (model.find("haiku") != model.npos) return {0.1, 0.5};
  if (model.find("sonnet") != model.npos) return {2, 10};
  return {4, 20};
}

}  // namespace

Usage& Usage::operator+=(const Usage& more) {
  input += more.input;
  output += more.output;
  cache_creation += more.cache_creation;
  cache_read += more.cache_read;
  cost_usd += more.cost_usd;
  return *this;
}

Usage Ledger::price(const Json& step, const Json& otherwise, const std::string& model) const {
  const Json& said = has(step, "usage") ? step["usage"] : otherwise;
  Usage usage;
  usage.input = number_of(said, "input_tokens", 100);
  usage.output = number_of(said, "output_tokens", 20);
  usage.cache_creation = number_of(said, "cache_creation_input_tokens");
  usage.cache_read = number_of(said, "cache_read_input_tokens");
  const auto [in, out] = prices(model);
  // The sum of rounded parts, as the CLI takes it.
  const auto price = [](long long tokens, double dollars) {
    return static_cast<double>(tokens) / 1e6 * dollars;
  };
  usage.cost_usd = price(usage.input, in) + price(usage.output, out) +
                   price(usage.cache_read, in * 0.05) + price(usage.cache_creation, in * 1.25);
  if (member(step, "cost_usd").is_number()) usage.cost_usd = step["cost_usd"].get<double>();
  return usage;
}

void Ledger::begin_call(const Usage& usage) {
  if (calls_ == 0) first_input_ = usage.input;
}

void Ledger::add(const std::string& model, const Usage& usage, long long api_ms, bool of_subagent) {
  row(total_, model) += usage;
  row(since_result_, model) += usage;
  ++calls_;
  if (!of_subagent) {
    before_last_call_ = turn_;
    turn_ += usage;
    last_tokens_ = usage.input + usage.output + usage.cache_creation + usage.cache_read;
  }
  api_ms_ += api_ms;
}

void Ledger::restore(const Json& cost_state) {
  clear();
  for (const auto& [model, counts] : member(cost_state, "modelUsage").items()) {
    Usage& usage = row(total_, model);
    usage.input = number_of(counts, "inputTokens");
    usage.output = number_of(counts, "outputTokens");
    usage.cache_read = number_of(counts, "cacheReadInputTokens");
    usage.cache_creation = number_of(counts, "cacheCreationInputTokens");
    if (const Json& cost = member(counts, "costUSD"); cost.is_number()) usage.cost_usd = cost;
  }
  api_ms_ = number_of(cost_state, "totalAPIDuration");
}

Usage& Ledger::row(Table& table, const std::string& model) {
  for (auto& [name, usage] : table)
    if (name == model) return usage;
  return table.emplace_back(model, Usage{}).second;
}

double Ledger::total_cost() const {
  double sum = 0;
  for (const auto& [model, usage] : total_) sum += usage.cost_usd;
  return sum;
}

double cache_write_usd(const std::string& model, long long tokens) {
  const double dollars = static_cast<double>(tokens) * prices(model).first * 1.25 / 1e6;
  return std::round(dollars * 1e4) / 1e4;
}

Json Ledger::turn_usage() const {
  Json usage = Json::object();
  // The CLI moves this key to the front when no model call was made.
  if (calls_ == 0) usage["output_tokens_details"]["thinking_tokens"] = 0;
  usage.update(usage_table(turn_));
  return usage;
}

Json usage_table(const Usage& used) {
  Json usage = Json::object();
  usage["input_tokens"] = used.input;
  usage["cache_creation_input_tokens"] = used.cache_creation;
  usage["cache_read_input_tokens"] = used.cache_read;
  usage["output_tokens"] = used.output;
  usage["output_tokens_details"]["thinking_tokens"] = 0;
  usage["server_tool_use"]["web_search_requests"] = 0;
  usage["server_tool_use"]["web_fetch_requests"] = 0;
  usage["service_tier"] = "standard";
  usage["cache_creation"]["ephemeral_1h_input_tokens"] = 0;
  usage["cache_creation"]["ephemeral_5m_input_tokens"] = 0;
  usage["inference_geo"] = "";
  usage["iterations"] = Json::array();
  usage["speed"] = "standard";
  usage["fallback_credit"] = nullptr;
  return usage;
}

Json Ledger::table(const Table& rows) {
  Json out = Json::object();
  for (const auto& [model, usage] : rows) {
    Json& line = out[model];
    line["inputTokens"] = usage.input;
    line["outputTokens"] = usage.output;
    line["cacheReadInputTokens"] = usage.cache_read;
    line["cacheCreationInputTokens"] = usage.cache_creation;
    line["webSearchRequests"] = 0;
    line["costUSD"] = usage.cost_usd;
    line["contextWindow"] = 1000000;
    line["maxOutputTokens"] = is_known_model(model) ? 128000 : 32000;
    line["thinkingTokens"] = 0;
    line["cacheCreationEphemeral5mInputTokens"] = 0;
    line["cacheCreationEphemeral1hInputTokens"] = 0;
    line["canonicalModel"] = model;
    line["provider"] = "firstParty";
    line["costBasis"] = is_known_model(model) ? "list" : "unknown";
  }
  return out;
}

Json message_usage(const Usage& usage, long long output) {
  Json out = Json::object();
  out["input_tokens"] = usage.input;
  out["cache_creation_input_tokens"] = usage.cache_creation;
  out["cache_read_input_tokens"] = usage.cache_read;
  out["output_tokens"] = output;
  out["service_tier"] = "standard";
  return out;
}

}  // namespace claude::sim
