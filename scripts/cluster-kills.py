#!/usr/bin/env python3
"""Runs `heapwright generate --cluster` again and again while workers, the one who asks, and the server
are killed at random times, and compares the bytes with those of a run without a cluster.

    scripts/cluster-kills.py HEAPWRIGHT [RUNS] [SEED]

Each run has a server of its own with an empty folder, and four workers with two jobs. In each, one to
four workers are killed with SIGKILL and started again; in every second run whoever asks is killed once
as well, and in every third the server, which starts again with what it has kept. Needs a JDK. The exit
code is 1 if bytes differ, or something is lost.
"""

import filecmp
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLASSES = 12
PATIENCE = 300

TEXT = """package kills;
public class List%(n)d {
    private static class Link { int value; Link next; }
    private Link first;
    private int size;
    public boolean add(int value) {
        if (size >= %(n)d + 2 || value < 0) return false;
        Link link = new Link();
        link.value = value; link.next = first; first = link; size++;
        return true;
    }
    public int sum() { int sum = 0; for (Link l = first; l != null; l = l.next) sum += l.value; return sum; }
    public boolean remove(int value) {
        Link before = null;
        for (Link l = first; l != null; before = l, l = l.next)
            if (l.value == value) {
                if (before == null) first = l.next; else before.next = l.next;
                size--;
                return true;
            }
        return false;
    }
    public static int sign(int n) { return n < %(n)d ? -1 : n == %(n)d ? 0 : 1; }
}
"""


class Run:
    """A server, its workers and whoever asks, in a folder of their own."""

    def __init__(self, program, folder, classes):
        self.program, self.folder, self.classes = program, folder, classes
        found = subprocess.run(
            ["sh", os.path.join(ROOT, "scripts", "nats-server.sh")],
            stdout=subprocess.PIPE, text=True, check=True,
        )
        self.nats = found.stdout.strip()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"nats://127.0.0.1:{self.port}"
        self.workers = []
        self.start_server()

    def start(self, words, **options):
        quiet = subprocess.DEVNULL
        options = {"stdin": quiet, "stdout": quiet, "stderr": quiet, **options}
        return subprocess.Popen(words, **options)

    def start_server(self):
        place = ["-a", "127.0.0.1", "-p", str(self.port), "-sd", os.path.join(self.folder, "nats")]
        self.server = self.start([self.nats, "-js", *place])
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.02)

    def start_worker(self):
        cache = os.path.join(self.folder, "parts")
        words = ["worker", "--cluster", self.address, "--jobs", "2", "--lease", "2"]
        return self.start([self.program, *words, "--cache", cache])

    def ask(self):
        words = generate(self.classes, os.path.join(self.folder, "out"))
        with open(os.path.join(self.folder, "said"), "w") as said:
            return self.start([self.program, *words, "--cluster", self.address], stderr=said,
                              env={**os.environ, "HEAPWRIGHT_CACHE": "none"})

    def end(self):
        for process in [self.server, *self.workers]:
            process.kill()
            process.wait()


def generate(classes, out):
    shutil.rmtree(out, ignore_errors=True)
    outputs = ["--out", out, "--json", out + "/report.json"]
    os.makedirs(out)
    return ["generate", "kills.*", "-c", classes, "-q", "--time", "0", *outputs]


def differ(one, other):
    """The first file that two folders do not have in common."""
    compared = filecmp.dircmp(one, other)
    if compared.left_only or compared.right_only:
        return (compared.left_only + compared.right_only)[0]
    _, different, odd = filecmp.cmpfiles(one, other, compared.common_files, shallow=False)
    if different or odd:
        return (different + odd)[0]
    inside = (differ(os.path.join(one, d), os.path.join(other, d)) for d in compared.common_dirs)
    return next((name for name in inside if name), None)


def main():
    program = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    work = tempfile.mkdtemp(prefix="heapwright-kills-")
    sources, classes = os.path.join(work, "sources"), os.path.join(work, "classes")
    os.makedirs(sources)
    for number in range(CLASSES):
        with open(os.path.join(sources, f"List{number}.java"), "w") as file:
            file.write(TEXT % {"n": number})
    texts = [os.path.join(sources, name) for name in os.listdir(sources)]
    subprocess.run(["javac", "-g", "-d", classes, *texts], check=True)
    alone = os.path.join(work, "alone")
    begin = time.monotonic()
    subprocess.run([program, *generate(classes, alone)], env={**os.environ, "HEAPWRIGHT_CACHE": "none"})
    length = time.monotonic() - begin
    failed = 0
    for number in range(runs):
        chance = random.Random(seed * 1000 + number)
        folder = os.path.join(work, f"run{number}")
        os.makedirs(folder)
        run = Run(program, folder, classes)
        run.workers = [run.start_worker() for _ in range(4)]
        begin = time.monotonic()
        asking = run.ask()
        deeds = ["worker"] * chance.randint(1, 4)
        deeds += ["asking"] if number % 2 == 0 else []
        deeds += ["server"] if number % 3 == 0 else []
        planned = sorted((chance.uniform(0.05, 0.6 * length + 0.5), deed) for deed in deeds)
        for moment, deed in planned:
            time.sleep(max(0, begin + moment - time.monotonic()))
            if deed == "worker":
                place = chance.randrange(4)
                run.workers[place].kill()
                run.workers[place].wait()
                run.workers[place] = run.start_worker()
            elif deed == "asking" and asking.poll() is None:
                asking.kill()
                asking.wait()
                asking = run.ask()
            elif deed == "server":
                run.server.kill()
                run.server.wait()
                run.start_server()
        try:
            asking.wait(PATIENCE)
            problem = differ(alone, os.path.join(folder, "out"))
        except subprocess.TimeoutExpired:
            asking.kill()
            problem = f"no end after {PATIENCE} s"
        seconds = time.monotonic() - begin
        run.end()
        with open(os.path.join(folder, "said")) as said:
            told = said.read().strip()
        story = ", ".join(f"{deed} at {moment:.2f}" for moment, deed in planned)
        print(f"run {number}: {problem or 'same bytes'}, {seconds:.1f} s; killed: {story}", told, flush=True)
        failed += problem is not None
    shutil.rmtree(work)
    print(f"{runs - failed} of {runs} runs gave the bytes of the run without a cluster ({length:.1f} s)")
    sys.exit(1 if failed else 0)


main()
