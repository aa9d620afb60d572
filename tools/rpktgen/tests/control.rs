// SPDX-License-Identifier: GPL-2.0
//! `rpktgen start`, `stop` and `reset` against trees of plain files and, where the kernel must
//! answer, a FIFO in place of `pgctrl` with the test behind it.

mod common;

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Ran, Root, BANNER, RAN};

const TREE: &str = "proc/net/pktgen";
const RUNNING: &str = "Running: eth4@0 \nStopped: \nResult: NA\n";
const STOPPED: &str = "Running: \nStopped: eth4@0 \nResult: NA\n";

/// A tree with one worker and one device that ran before.
fn small_tree() -> Root {
    let root = Root::new();
    fs::create_dir(root.path(TREE)).unwrap();
    root.file("proc/net/pktgen/pgctrl", BANNER);
    root.file("proc/net/pktgen/kpktgend_0", STOPPED);
    root.file("proc/net/pktgen/eth4@0", RAN);
    root
}

fn replace(root: &Root, file: &str, text: &str) {
    // In one step, as the kernel does.
    let path = format!("{TREE}/{file}");
    root.file(&format!("{path}.new"), text);
    fs::rename(root.path(&format!("{path}.new")), root.path(&path)).unwrap();
}

fn control(root: &Root) -> String {
    fs::read_to_string(root.path("proc/net/pktgen/pgctrl")).unwrap()
}

#[test]
fn stop_writes_stop() {
    let root = small_tree();
    let ran = root.run(&["stop"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_eq!(control(&root), BANNER.replacen("Pack", "stop", 1));
    assert!(
        ran.out.contains("\teth4@0\tstopped\t100000\t"),
        "{}",
        ran.out
    );
    assert_eq!(
        root.run(&["stop", "--json"]).json()["schema"],
        "rpktgen.status/1"
    );
}

#[test]
fn reset_writes_reset_and_counts() {
    let root = small_tree();
    fs::remove_file(root.path("proc/net/pktgen/eth4@0")).unwrap();
    replace(&root, "kpktgend_0", "Running: \nStopped: \nResult: NA\n");
    let ran = root.run(&["reset"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, "/proc/net/pktgen: 0 devices removed\n");
    assert_eq!(control(&root), BANNER.replacen("Packe", "reset", 1));
}

/// The plain file takes the request, and nothing happens.
#[test]
fn without_effect_is_a_failure() {
    // A device that has left the list of those that run, and has no summary yet.
    let (head, _) = RAN.split_once("Result: ").unwrap();
    let unfinished = format!("{head}Result: Starting\n");
    let running = "still running after 10 s in /proc/net/pktgen: eth4@0";
    let table = [
        ("stop", RUNNING, RAN, running),
        ("stop", STOPPED, &unfinished, running),
        (
            "reset",
            STOPPED,
            RAN,
            "still there after 10 s in /proc/net/pktgen: eth4@0",
        ),
    ];
    thread::scope(|scope| {
        for (command, worker, device, message) in table {
            scope.spawn(move || {
                let root = small_tree();
                replace(&root, "kpktgend_0", worker);
                replace(&root, "eth4@0", device);
                let begin = Instant::now();
                root.run(&[command]).refused(1, &[message]);
                assert!(begin.elapsed() > Duration::from_secs(10));
            });
        }
    });
}

#[test]
fn start_that_starts_nothing() {
    let root = small_tree();
    let ran = root.run(&["start"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.err.lines().count(), 1);
    assert!(
        ran.err
            .contains("the run failed: eth4@0 did not start: OK: 15430"),
        "{}",
        ran.err
    );
    // What there is to see is shown all the same.
    assert!(ran.out.contains("\teth4@0\tstopped\t"), "{}", ran.out);
}

#[test]
fn start_is_refused() {
    let root = small_tree();
    replace(&root, "kpktgend_0", RUNNING);
    root.run(&["start"])
        .refused(1, &["already running in /proc/net/pktgen: eth4@0"]);
    replace(&root, "kpktgend_0", "Running: \nStopped: \nResult: NA\n");
    fs::remove_file(root.path("proc/net/pktgen/eth4@0")).unwrap();
    root.run(&["start"])
        .refused(4, &["no device is configured", "add_device"]);
    assert_eq!(control(&root), BANNER);
}

#[test]
fn changing_commands_never_guess() {
    let root = Root::new();
    for command in ["start", "stop", "reset"] {
        root.run(&[command]).refused(4, &["no packet generator"]);
    }
    root.tree("pktgen");
    root.tree("rpktgen");
    for command in ["start", "stop", "reset"] {
        root.run(&[command]).refused(
            2,
            &[
                "several generators",
                "/proc/net/pktgen or /proc/net/rpktgen",
            ],
        );
    }
    for tree in ["pktgen", "rpktgen"] {
        let text = fs::read_to_string(root.path(&format!("proc/net/{tree}/pgctrl"))).unwrap();
        assert_eq!(text, BANNER);
    }
}

/// `pgctrl` as a FIFO: who opens it waits for the other side, as who writes "start" waits for the
/// kernel.
struct Run {
    root: Root,
    child: Child,
    /// Another name of the FIFO, for when `pgctrl` is a plain file again.
    fifo: PathBuf,
}

impl Run {
    /// Starts `rpktgen start` and waits until its writer is blocked.
    fn begin() -> Self {
        let root = small_tree();
        let fifo = root.path("proc/net/pktgen/pgctrl");
        fs::remove_file(&fifo).unwrap();
        assert!(Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success());
        let other = root.path("fifo");
        fs::hard_link(&fifo, &other).unwrap();
        let child = root
            .command()
            .args(["start", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let tasks = format!("/proc/{}/task", child.id());
        let begin = Instant::now();
        while fs::read_dir(&tasks).unwrap().count() < 2 {
            assert!(begin.elapsed() < Duration::from_secs(10), "no writer");
            thread::sleep(Duration::from_millis(5));
        }
        let fifo = other;
        Self { root, child, fifo }
    }

    fn signal(&self, name: &str) {
        // The shell's own: there may be no program of that name.
        let kill = format!("kill -s {name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.unwrap().success());
    }

    /// The device as it is after a run that began now, and a `pgctrl` for the last report.
    fn finish(&self, packets: &str) {
        replace(&self.root, "pgctrl", BANNER);
        let text = RAN
            .replace("started: 100000000us", "started: 200000000us")
            .replace("count 100000 ", "count 0 ")
            .replace("usec, 100000 (", &format!("usec, {packets} ("));
        replace(&self.root, "eth4@0", &text);
        replace(&self.root, "kpktgend_0", STOPPED);
    }

    /// How it ended, in time or never.
    fn end(&mut self) -> Ran {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "does not end");
            thread::sleep(Duration::from_millis(10));
        };
        // What it prints fits into the pipes.
        let mut ran = Ran {
            status: status.code(),
            out: String::new(),
            err: String::new(),
        };
        let (out, err) = (self.child.stdout.take(), self.child.stderr.take());
        out.unwrap().read_to_string(&mut ran.out).unwrap();
        err.unwrap().read_to_string(&mut ran.err).unwrap();
        ran
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // Does nothing if it has ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn start_waits_for_the_kernel() {
    let mut run = Run::begin();
    thread::sleep(Duration::from_millis(300));
    assert!(run.child.try_wait().unwrap().is_none(), "start must block");
    run.finish("100000");
    let mut command = [0; 16];
    let mut fifo = File::open(&run.fifo).unwrap();
    let length = fifo.read(&mut command).unwrap();
    assert_eq!(&command[..length], b"start");
    let ran = run.end();
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let device = &ran.json()["trees"][0]["threads"][0]["devices"][0];
    assert_eq!(device["result"]["summary"]["packets"], 100_000);
}

#[test]
fn signals_stop_the_run() {
    for signal in ["INT", "TERM", "HUP"] {
        let mut run = Run::begin();
        replace(&run.root, "kpktgend_0", RUNNING);
        // Both sides at once: nobody waits in open() any more.
        let mut fifo = File::options()
            .read(true)
            .write(true)
            .open(&run.fifo)
            .unwrap();
        let mut text = String::new();
        let mut seen = |until: &str| {
            let begin = Instant::now();
            while !text.contains(until) {
                assert!(begin.elapsed() < Duration::from_secs(10), "{text}");
                let mut buffer = [0; 64];
                let length = fifo.read(&mut buffer).unwrap();
                text.push_str(std::str::from_utf8(&buffer[..length]).unwrap());
            }
        };
        seen("start");
        // The write has returned, the device runs: `start` waits on.
        thread::sleep(Duration::from_millis(300));
        run.signal(signal);
        seen("stopstop");
        run.finish("4711");
        let ran = run.end();
        assert_eq!(
            (ran.status, ran.err.as_str()),
            (Some(0), ""),
            "{signal}: {ran:?}"
        );
        let device = &ran.json()["trees"][0]["threads"][0]["devices"][0];
        assert_eq!(device["result"]["summary"]["packets"], 4711);
    }
}

/// As under nohup, and as a background job of a script starts with SIGINT.
#[test]
fn ignored_signals_stay_ignored() {
    let root = small_tree();
    let fifo = root.path("proc/net/pktgen/pgctrl");
    fs::remove_file(&fifo).unwrap();
    assert!(Command::new("mkfifo")
        .arg(&fifo)
        .status()
        .unwrap()
        .success());
    // The shell ignores the signals, sends them to its blocked child, and looks at it.
    let script = r#"trap '' HUP INT
        "$@" start & pid=$!
        until [ "$(ls /proc/$pid/task | wc -l)" -ge 2 ]; do sleep 0.01; done
        kill -s HUP $pid; kill -s INT $pid; sleep 0.3
        kill -s INT $pid; sleep 0.1
        grep -q '^State:.[SD]' /proc/$pid/status && echo alive
        kill -s KILL $pid"#;
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(common::binary())
        .arg("--root")
        .arg(root.path(""))
        .output()
        .unwrap();
    assert_eq!(Ran::of(output).out, "alive\n");
}

#[test]
fn a_second_signal_ends_at_once() {
    let mut run = Run::begin();
    replace(&run.root, "kpktgend_0", RUNNING);
    // Nobody reads: "stop" blocks as "start" does.
    run.signal("INT");
    thread::sleep(Duration::from_millis(200));
    assert!(run.child.try_wait().unwrap().is_none());
    run.signal("INT");
    let ran = run.end();
    assert_eq!(ran.status, Some(130), "{ran:?}");
    assert_eq!(ran.out, "");
}
