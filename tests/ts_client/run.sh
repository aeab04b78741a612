#!/usr/bin/env bash
# run.sh CLAUDE-SIM FILE: runs the tests of one file with Node's test runner.
# 77 tells ctest that they were skipped.
set -euo pipefail

if [ -z "${CLAUDE_TS_SDK:-}" ]; then
  echo "the TypeScript SDK is not here: run ./check, or set CLAUDE_TS_SDK to" \
    "\$(scripts/install-ts-sdk)"
  [ "${CI:-}" = true ] && exit 1
  exit 77
fi
CLAUDE_SIM=$1 exec node --test --test-reporter=spec "$2"
