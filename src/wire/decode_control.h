// The control protocol in a line: requests, responses, cancellations.
#pragma once

#include "wire/decoder.h"
#include "wire/line.h"

namespace claude::wire {

void decode_request(Decoder& decoder, ControlRequest& out);
void decode_response(Decoder& decoder, ControlResponse& out);
void decode_cancel(Decoder& decoder, ControlCancel& out);

}  // namespace claude::wire
