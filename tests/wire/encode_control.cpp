// See encode_control.h; the fields are described in fields_control.h.
#include "wire/encode_control.h"

#include "wire/encoder.h"
#include "wire/fields_control.h"

namespace claude::wire {
namespace {

template <class Control>
std::string line(std::string_view type, const Control& value) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object().key("type").string(type);
  Encoder(writer, value.other).members(value);
  writer.end_object();
  text += '\n';
  return text;
}

}  // namespace

std::string encode(const ControlRequest& request) {
  return line(kControlRequest, request);
}
std::string encode(const ControlResponse& response) {
  return line(kControlResponse, response);
}
std::string encode(const ControlCancel& cancel) {
  return line(kControlCancel, cancel);
}

}  // namespace claude::wire
