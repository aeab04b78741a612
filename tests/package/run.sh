#!/usr/bin/env bash
# Builds and runs a project that uses the library in one of these ways.
#   run.sh find_package|add_subdirectory|pkg_config|tested_agent BUILD_DIR VERSION COMPILER
set -euo pipefail
way=$1 build=$2 version=$3 compiler=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$build/package/$way
rm -rf "$work"
mkdir -p "$work/out"
export CXX=$compiler
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

# Installs, and moves the result: a package must not remember where it was made.
install_moved() {
  cmake --install "$build" --prefix "$work/made" >/dev/null
  mv "$work/made" "$work/moved"
}

with_cmake() {
  cmake -S "$here/$way" -B "$work/out" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@"
  cmake --build "$work/out" --target consumer
}

case $way in
  tested_agent)
    install_moved
    cmake -S "$here/../../examples/tested_agent" -B "$work/out" -G Ninja \
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$work/moved"
    cmake --build "$work/out"
    ctest --test-dir "$work/out" --output-on-failure --no-tests=error
    exit
    ;;
  find_package)
    install_moved
    with_cmake -DCMAKE_PREFIX_PATH="$work/moved" -DVERSION="$version"
    ;;
  add_subdirectory)
    with_cmake -DCLAUDE_AGENT_DIR="$here/../.."
    # The same project, now with a simulated CLI.
    cmake "$work/out" -DCLAUDE_AGENT_SIM_PROGRAM="$build/sim/claude-sim"
    cmake --build "$work/out" --target tested
    "$work/out/tested"
    ;;
  pkg_config)
    install_moved
    pc=$(find "$work/moved" -name claude-agent.pc)
    export PKG_CONFIG_PATH=${pc%/*}
    make -C "$work/out" -f "$here/pkg_config/Makefile" SOURCE="$here/consumer/main.cpp"
    [ "$(pkg-config --modversion claude-agent)" = "$version" ]
    ;;
  *)
    echo "run.sh: unknown way: $way" >&2
    exit 2
    ;;
esac

printed=$("$work/out/consumer")
echo "the consumer printed $printed, the project is $version"
[ "$printed" = "$version" ]
