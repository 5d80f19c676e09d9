"""A process of ours that serves a GGUF file on loopback and ends when its parent does.

Run as `python -m graders.local_server FILE ALIAS THREADS CONTEXT`. Prints one JSON line with its address when it
answers. Its standard input is a pipe that the parent holds: when the parent ends, by whatever signal, the pipe closes.
The key that requests must carry is in the environment, where no list of processes shows it.
"""

import json
import os
import sys

KEY_VARIABLE = "WORKBENCH_LOCAL_SERVER_KEY"


def serve(path: str, alias: str, threads: int, context_tokens: int) -> None:
    """Serves until standard input closes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {alias}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    # Threads that wait by spinning starve everything else on a machine with few cores.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.verbosity = 0
    params.warmup = False
    params.ui = False
    params.cors_origins = ""
    params.endpoint_slots = False
    # Loopback is shared by all users of a machine, and pages in a browser reach it too.
    params.api_keys = [os.environ[KEY_VARIABLE]]
    server = xllamacpp.Server(params)
    print(json.dumps({"base_url": f"{server.listening_address}/v1"}), flush=True)
    # Nobody reads further lines: a full pipe must not hold the server up.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.stdin.buffer.read()
    # Not through the interpreter's end: the server's threads would be waited for.
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
