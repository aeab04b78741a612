// Short words for the tests of the wire.
#pragma once

#include "wire/encoder.h"
#include "wire/fields_control.h"
#include "wire/line.h"

#include "json/oracle.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace claude::test {

inline wire::Line decode(std::string_view line) {
  return wire::decode_line(line);
}

// The line as a `T`, which is a message or a piece of the control protocol. The test fails if it
// is another.
template <class T>
T decode_as(std::string_view line) {
  wire::Line decoded = decode(line);
  T* found = nullptr;
  if constexpr (std::derived_from<T, MessageBase>) {
    if (auto* message = std::get_if<Message>(&decoded)) found = std::get_if<T>(message);
  } else {
    found = std::get_if<T>(&decoded);
  }
  if (found == nullptr) {
    auto* bad = std::get_if<wire::BadLine>(&decoded);
    ADD_FAILURE() << (bad ? bad->problem : "it is something else") << ": " << line;
    return T();
  }
  return std::move(*found);
}

// The request of the CLI in the line, with the memory that it needs.
template <class Body>
struct Request : wire::ControlRequest {
  const Body& body() const { return std::get<Body>(wire::ControlRequest::body); }
};
template <class Body>
Request<Body> decode_request(std::string_view line) {
  Request<Body> request{decode_as<wire::ControlRequest>(line)};
  if (!std::holds_alternative<Body>(request.wire::ControlRequest::body)) {
    ADD_FAILURE() << "another request: " << line;
    request.wire::ControlRequest::body = Body();
  }
  return request;
}

// What a struct says, as the oracle reads it.
template <class Struct>
Oracle oracle(const Struct& value) {
  std::string text;
  json::Writer writer(text);
  wire::Encoder(writer, value.other).write(value);
  return Oracle::parse(text);
}
Oracle oracle(const Message& message);

// Paths of what was kept aside, one after the other.
inline std::string paths(const std::vector<OtherField>& other) {
  std::string all;
  for (const OtherField& field : other) all += (all.empty() ? "" : " ") + field.path;
  return all;
}

}  // namespace claude::test
