"""A decode child where PyAV is not installed."""

import runpy
import sys

sys.modules["av"] = None  # type: ignore[assignment]
runpy.run_module("adapters.media.decode_child", run_name="__main__", alter_sys=False)
