"""Real processes that begin in no time: forked from one that has imported PyTorch already.

To import it takes seconds, more than most of these processes then work. They have memory, signals
and an exit status of their own as any other; that the program also begins by itself, from
`python -m` and from torchrun, is tested with the few tests that start it so.
"""

import multiprocessing
import os
import select
import signal
import sys
import tempfile
import time

import torch
from patience import PATIENCE

CONTEXT = multiprocessing.get_context("forkserver")
# The optimizer imports the second one when it is made, a run the third when its log begins.
CONTEXT.set_forkserver_preload(
    [
        *("torch", "torch._dynamo", "torch.utils.tensorboard", "pytest"),
        *("annotated_transformer.cli.commands", "benchmarks.measure"),
    ]
)


def _run(work, arguments, environment, messages):
    """In the new process: standard error goes to a file."""
    os.environ.update(environment)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup makes all that it starts deaf to it
    os.dup2(os.open(messages, os.O_WRONLY | os.O_APPEND), sys.stderr.fileno())
    torch.set_num_threads(1)
    sys.exit(work(*arguments))


class Forked:
    """A process that does `work(*arguments)`, a function that it can import by its name."""

    def __init__(self, work, *arguments, **environment):
        descriptor, self._messages = tempfile.mkstemp()
        os.close(descriptor)
        variables = {"OMP_NUM_THREADS": "1", **environment}
        self.process = CONTEXT.Process(
            target=_run, args=(work, arguments, variables, self._messages), daemon=True
        )
        self.process.start()

    def poll(self):
        """Return the exit status, negative after a signal, or None as long as there is none."""
        return self.process.exitcode

    def send_signal(self, number):
        os.kill(self.process.pid, number)

    def errors(self):
        """Return what it has written to standard error so far."""
        with open(self._messages, encoding="utf-8") as file:
            return file.read()

    def end(self):
        """Wait for its end; return exit status and what it wrote to standard error."""
        self.process.join(PATIENCE)
        errors = self.errors()
        os.unlink(self._messages)
        return self.process.exitcode, errors


def ends_of(folder, count, process):
    """Wait until so many processes have left their numbers in a folder; give what tells their ends.

    `process` is the one that starts them. See `wait_for_ends`.
    """
    deadline = time.monotonic() + PATIENCE
    while len(found := list(folder.iterdir())) < count:
        assert process.poll() is None, process.errors()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    return [os.pidfd_open(int(path.name)) for path in found]


def wait_for_ends(ends):
    """Wait until each of these processes has ended, however that came."""
    for end in ends:
        assert select.select([end], [], [], PATIENCE)[0], "a process goes on"
        os.close(end)


def two_ranks(work, *arguments):
    """Start two processes that find each other as torchrun lets them, by a store beside them."""
    store = torch.distributed.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    shared = {
        **{"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"},
        **{"MASTER_ADDR": "localhost", "MASTER_PORT": str(store.port)},
        **{"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RESTART_COUNT": "0"},
    }
    ranks = [Forked(work, *arguments, RANK=n, LOCAL_RANK=n, **shared) for n in "01"]
    ranks[0].store = store  # it lives as long as they do
    return ranks
