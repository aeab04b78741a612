// Secrets taken out of what people get to read.
//
// By name (API_TOKEN, "authorization", --client-secret) and by look (sk-ant-..., Bearer ...,
// https://user:password@host). It errs on the side of hiding.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace claude::launch {

inline constexpr std::string_view kMask = "***";

// Whether a variable, member or flag of this name holds a secret: one of its words ends in key,
// token, secret, password and the like.
bool is_secret_name(std::string_view name);

// What else to hide: gives of a text what may be shown.
using HideMore = std::function<std::string(std::string_view)>;

// The value without what looks like a secret; JSON is masked member by member, and so is a text in
// it that is JSON. `hide_more` gets names, texts without their escapes, and numbers; of which it
// hides a part, becomes a text as a whole.
std::string masked(std::string_view value, const HideMore& hide_more = {});

// A word of a command line: the whole value of a flag with such a name, else as above.
std::string masked_word(std::string_view word);

}  // namespace claude::launch
