#!/bin/sh
# Create .venv and install into it what requirements.txt pins, then the package itself (editable).
# `make` runs this when requirements.txt or pyproject.toml is newer than the last finished set-up.
set -eu
cd "$(dirname "$0")/../.."

CPU_INDEX=https://download.pytorch.org/whl/cpu
VENV_PYTHON=.venv/bin/python

fail() {
    echo "set-up: $1" >&2
    exit 1
}

# The full version, so that 3.11.2 and 3.11.9 are two.
version() {
    "$1" -c 'import sys; print(sys.version)' 2>/dev/null
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        command -v "$PYTHON" >/dev/null 2>&1 || fail "PYTHON=$PYTHON cannot be run."
        is_new_enough "$PYTHON" || fail "PYTHON=$PYTHON is older than Python 3.11, which the book needs."
        echo "$PYTHON"
        return
    fi
    for name in python3 python3.13 python3.12 python3.11 python; do
        if is_new_enough "$name"; then
            echo "$name"
            return
        fi
    done
    found=$(python3 --version 2>/dev/null || echo "no Python 3")
    fail "Python 3.11 or newer is needed and this machine offers $found; install python3 (Debian 12, Ubuntu 24.04 or later) or name one: make PYTHON=/path/to/python3.12"
}

make_environment() {
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$python has no venv module; install the package python3-venv."
    echo "set-up: creating .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
}

# Without PYTHON any environment will do that is new enough; PYTHON asks for its own version.
has_environment() {
    "$VENV_PYTHON" -m pip --version >/dev/null 2>&1 && is_new_enough "$VENV_PYTHON" &&
        { [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version "$VENV_PYTHON")" ]; }
}

has_nvidia_driver() {
    [ -e "${NVIDIA_DRIVER:-/proc/driver/nvidia/version}" ] || command -v nvidia-smi >/dev/null 2>&1
}

# Asked by pip itself, which knows this machine's proxy, certificates and own indexes; soon given up.
reaches_cpu_index() {
    "$VENV_PYTHON" -m pip index versions torch --index-url "$CPU_INDEX" --timeout 10 --retries 0 >/dev/null 2>&1
}

# On Linux the default index holds the CUDA build of torch: gigabytes that a machine without an
# NVIDIA driver cannot use. PyTorch's own index has the CPU build under the same version number.
install_torch() {
    pin=$(sed -n 's/^\(torch==[^ ;]*\).*/\1/p' requirements.txt)
    [ "$(uname -s)" = Linux ] || return 0
    if has_nvidia_driver; then return 0; fi
    if "$VENV_PYTHON" -m pip show torch 2>/dev/null | grep -q "^Version: ${pin#torch==}"; then return 0; fi
    echo "set-up: no NVIDIA driver, taking $pin from PyTorch's CPU index"
    if ! reaches_cpu_index; then
        echo "set-up: PyTorch's CPU index cannot be reached, taking $pin from the default index"
    elif ! "$VENV_PYTHON" -m pip install --no-deps --index-url "$CPU_INDEX" "$pin"; then
        echo "set-up: pip could not install $pin from PyTorch's CPU index and says why above; taking it from the default index"
    fi
}

has_environment || make_environment
install_torch
echo "set-up: installing the pinned packages of requirements.txt"
"$VENV_PYTHON" -m pip install --quiet --requirement requirements.txt ||
    fail "pip could not install requirements.txt; its message is above."
# setuptools is pinned and installed by now, so the package itself needs nothing from an index.
"$VENV_PYTHON" -m pip install --quiet --no-index --no-deps --no-build-isolation --editable . ||
    fail "pip could not install the package; its message is above."
# Whoever has hooks of their own keeps them.
if [ -e .git ] && ! git config --get core.hooksPath >/dev/null 2>&1; then
    git config core.hooksPath .githooks 2>/dev/null || true
fi
touch .venv/.ready
