"""No orphans: a process asks the kernel to be killed when its parent ends."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int | None = None) -> None:
    """Ask for SIGKILL at the parent's end (Linux); leave at once if the parent is already gone.

    The signal follows the *thread* that started this process, so that thread must live as long as the program.
    Elsewhere than on Linux the closing of the pipe to the parent has to do.
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1 or (parent is not None and os.getppid() != parent):
        os._exit(1)
