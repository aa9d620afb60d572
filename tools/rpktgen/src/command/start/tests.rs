// SPDX-License-Identifier: GPL-2.0
//! Runs against a generator that behaves as the kernel's does, in memory: `start` blocks, `stop`
//! ends it, a "stop" before the workers have seen "start" is lost.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Condvar, Mutex};

use super::*;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Life {
    #[default]
    Idle,
    /// "start" was written, the worker has not looked yet.
    Posted,
    Running,
    Done,
}

#[derive(Default)]
struct State {
    life: Life,
    /// Commands written so far.
    written: Vec<String>,
    /// Reads of the worker's file so far.
    reads: u32,
}

/// One worker with the device `eth0@0`.
#[derive(Default)]
struct Kernel {
    state: Mutex<State>,
    changed: Condvar,
    /// Ends by itself at the first look, or only by stop.
    endless: bool,
    /// `start` returns at once although the run lasts.
    hasty: bool,
    /// How often "stop" is lost before it works.
    deaf: usize,
    count: u64,
    summary: &'static str,
    no_device: bool,
}

const GOOD: &str = "OK: 100(c100+d0) usec, 1000 (60byte,0frags)\n  \
                    10000000pps 4800Mb/sec (4800000000bps) errors: 0";

impl Kernel {
    fn device(&self) -> String {
        let life = self.state.lock().unwrap().life;
        let (started, result) = match life {
            Life::Idle => (
                5,
                "OK: 1(c1+d0) usec, 7 (60byte,0frags)\n  7pps 0Mb/sec (1bps) errors: 0",
            ),
            Life::Posted => (5, "Idle"),
            Life::Running => (100, "Starting"),
            Life::Done => (100, self.summary),
        };
        format!(
            "Params: count {}  min_pkt_size: 60  max_pkt_size: 60\n     frags: 0  delay: 0  \
             clone_skb: 0  ifname: eth0@0\nCurrent:\n     pkts-sofar: 10  errors: 0\n     \
             started: {started}us  stopped: 200us idle: 0us\nResult: {result}\n",
            self.count
        )
    }
}

impl System for Kernel {
    fn list(&self, _: &Path) -> io::Result<Vec<OsString>> {
        let mut names = vec!["pgctrl", "kpktgend_0"];
        if !self.no_device {
            names.push("eth0@0");
        }
        Ok(names.into_iter().map(OsString::from).collect())
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        let text = match file.file_name().and_then(|n| n.to_str()) {
            Some("pgctrl") => "Version: 2.75\n".to_owned(),
            Some("kpktgend_0") if self.no_device => "Running: \nStopped: \nResult: NA\n".to_owned(),
            Some("kpktgend_0") => {
                let mut state = self.state.lock().unwrap();
                state.reads += 1;
                match state.life {
                    Life::Running => "Running: eth0@0 \nStopped: \nResult: NA\n".to_owned(),
                    _ => "Running: \nStopped: eth0@0 \nResult: NA\n".to_owned(),
                }
            }
            _ => self.device(),
        };
        Ok(text.into_bytes())
    }

    fn write(&self, _: &Path, data: &[u8]) -> io::Result<()> {
        let command = String::from_utf8(data.to_vec()).unwrap();
        let mut state = self.state.lock().unwrap();
        state.written.push(command.clone());
        if command == "stop" {
            let stops = state.written.iter().filter(|w| *w == "stop").count();
            if stops > self.deaf && state.life == Life::Running {
                state.life = Life::Done;
                self.changed.notify_all();
            }
            return Ok(());
        }
        assert_eq!(command, "start");
        state.life = Life::Posted;
        drop(state);
        thread::sleep(Duration::from_millis(50));
        let mut state = self.state.lock().unwrap();
        state.life = Life::Running;
        if !self.endless {
            state.life = Life::Done;
        }
        while state.life == Life::Running && !self.hasty {
            state = self.changed.wait(state).unwrap();
        }
        Ok(())
    }
}

fn tree(kernel: &Arc<dyn System>) -> Tree {
    Tree::open(kernel.as_ref(), Path::new("/proc/net/pktgen")).unwrap()
}

/// What `run` does, without the process around it. Commands that were written, and the outcome.
fn run(kernel: Kernel, interrupt_after: Option<Duration>) -> (Vec<String>, Result<()>) {
    let kernel = Arc::new(kernel);
    let system: Arc<dyn System> = kernel.clone();
    let tree = tree(&system);
    let interrupt = Interrupt::default();
    let result = (|| {
        let before = ready(TreeStatus::read_workers(system.as_ref(), &tree)?, &tree)?;
        if let Some(delay) = interrupt_after {
            let interrupt = interrupt.clone();
            thread::spawn(move || {
                thread::sleep(delay);
                interrupt.raise();
            });
        }
        let after = drive(&system, &tree, &interrupt)?;
        assert!(after.running().is_empty());
        judge(&before, &after, interrupt.is_raised())
    })();
    let written = kernel.state.lock().unwrap().written.clone();
    (written, result)
}

#[test]
fn runs_to_the_end() {
    let kernel = Kernel {
        count: 1000,
        summary: GOOD,
        ..Kernel::default()
    };
    let (written, result) = run(kernel, None);
    assert_eq!(written, ["start"]);
    result.unwrap();
}

#[test]
fn interrupt_stops_an_endless_run() {
    for hasty in [false, true] {
        let kernel = Kernel {
            endless: true,
            hasty,
            deaf: 3,
            summary: GOOD,
            ..Kernel::default()
        };
        let (written, result) = run(kernel, Some(Duration::from_millis(150)));
        assert_eq!(written[0], "start");
        assert!(written.len() >= 5, "stop is repeated: {written:?}");
        assert!(written[1..].iter().all(|w| w == "stop"));
        result.unwrap();
    }
}

#[test]
fn interrupt_before_the_workers_have_looked() {
    let kernel = Kernel {
        endless: true,
        summary: GOOD,
        ..Kernel::default()
    };
    let (written, result) = run(kernel, Some(Duration::ZERO));
    assert!(written.contains(&"stop".to_owned()));
    result.unwrap();
}

/// A text with the reason for the end, which the C module's has not.
#[test]
fn good_ends() {
    const COMPLETE: &str = "OK: 100(c100+d0) usec, 1000 (60byte,0frags)\n  \
                            10000000pps 4800Mb/sec (4800000000bps) errors: 0\n  \
                            ended: count reached";
    // Stopped by another process.
    const STOPPED: &str = "OK: 100(c100+d0) usec, 1000 (60byte,0frags)\n  \
                           10000000pps 4800Mb/sec (4800000000bps) errors: 0\n  \
                           ended: stopped";
    for (count, summary) in [(1000, COMPLETE), (0, STOPPED)] {
        let kernel = Kernel {
            count,
            summary,
            ..Kernel::default()
        };
        run(kernel, None).1.unwrap();
    }
}

/// A signal is no excuse for a device that had ended by itself.
#[test]
fn interrupt_after_an_end_of_its_own() {
    for (summary, message) in [
        (
            "OK: 1(c1+d0) usec, 7 (60byte,0frags)\n  7pps 0Mb/sec (1bps) errors: 0\n  \
             ended: stopped",
            None,
        ),
        (
            "OK: 1(c1+d0) usec, 7 (60byte,0frags)\n  7pps 0Mb/sec (1bps) errors: 0\n  \
             ended: no carrier",
            Some("the run failed: eth0@0 sent 7 of 1000 packets: no carrier"),
        ),
    ] {
        let kernel = Kernel {
            endless: true,
            count: 1000,
            summary,
            ..Kernel::default()
        };
        let result = run(kernel, Some(Duration::from_millis(100))).1;
        assert_eq!(result.err().map(|e| e.to_string()).as_deref(), message);
    }
}

#[test]
fn failed_runs_are_named() {
    // (count, result, message)
    let table = [
        (
            1000,
            "OK: 100(c100+d0) usec, 1000 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 3",
            "eth0@0 had 3 errors beside 1000 packets",
        ),
        (
            1000,
            "OK: 100(c100+d0) usec, 999 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 0",
            "eth0@0 sent 999 of 1000 packets",
        ),
        (
            1000,
            "OK: 100(c100+d0) usec, 999 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 0\n  \
             ended: stopped",
            "eth0@0 sent 999 of 1000 packets: stopped",
        ),
        (
            1000,
            "OK: 100(c100+d0) usec, 7 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 0\n  \
             ended: CPU offline",
            "eth0@0 sent 7 of 1000 packets: CPU offline",
        ),
        // Nobody stopped it, so it is no end for a run that has none.
        (
            0,
            "OK: 100(c100+d0) usec, 7 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 0\n  \
             ended: no carrier",
            "eth0@0 sent 7 packets: no carrier",
        ),
        (
            0,
            "OK: 1(c1+d0) usec, 0 (0byte,-1frags)\n  0pps 0Mb/sec (0bps) errors: 0\n  \
             ended: netdev down",
            "eth0@0 sent nothing: netdev down",
        ),
        (
            0,
            "OK: 1(c1+d0) usec, 0 (0byte,-1frags)\n  0pps 0Mb/sec (0bps) errors: 0",
            "eth0@0 sent nothing: is its link up?",
        ),
        (1000, "No memory", "eth0@0 has no summary: No memory"),
    ];
    for (count, summary, message) in table {
        let kernel = Kernel {
            count,
            summary,
            ..Kernel::default()
        };
        let error = run(kernel, None).1.unwrap_err();
        assert_eq!(error.kind(), Kind::Failed);
        assert_eq!(error.to_string(), format!("the run failed: {message}"));
    }
}

#[test]
fn refuses_to_restart_and_to_run_nothing() {
    let kernel = Kernel::default();
    kernel.state.lock().unwrap().life = Life::Running;
    let (written, result) = run(kernel, None);
    assert!(written.is_empty());
    let error = result.unwrap_err();
    assert_eq!(error.kind(), Kind::Failed);
    assert!(error
        .to_string()
        .starts_with("already running in /proc/net/pktgen: eth0@0;"));

    let kernel = Kernel {
        no_device: true,
        ..Kernel::default()
    };
    let (written, result) = run(kernel, None);
    assert!(written.is_empty());
    assert_eq!(result.unwrap_err().kind(), Kind::Missing);
}

/// A result that was there before is not the result of this run.
#[test]
fn an_old_summary_is_no_success() {
    struct Lame(Kernel);
    impl System for Lame {
        fn list(&self, dir: &Path) -> io::Result<Vec<OsString>> {
            self.0.list(dir)
        }
        fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
            self.0.read(file)
        }
        fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
            Ok(())
        }
    }
    let system: Arc<dyn System> = Arc::new(Lame(Kernel::default()));
    let tree = tree(&system);
    let before = ready(
        TreeStatus::read_workers(system.as_ref(), &tree).unwrap(),
        &tree,
    )
    .unwrap();
    let after = drive(&system, &tree, &Interrupt::default()).unwrap();
    let error = judge(&before, &after, false).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("eth0@0 did not start: OK: 1(c1+d0)"),
        "{error}"
    );
}

/// The kernel's refusal of the write is the answer, and devices that went away are missed.
#[test]
fn refused_and_vanished() {
    struct Refusing;
    impl System for Refusing {
        fn list(&self, _: &Path) -> io::Result<Vec<OsString>> {
            Ok(vec!["pgctrl".into()])
        }
        fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
            Err(io::Error::from_raw_os_error(2))
        }
        fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
            Err(io::Error::from_raw_os_error(1))
        }
    }
    let system: Arc<dyn System> = Arc::new(Refusing);
    let tree = tree(&system);
    let error = drive(&system, &tree, &Interrupt::default()).unwrap_err();
    assert_eq!(error.kind(), Kind::Permission);
    assert!(error
        .to_string()
        .contains("cannot write \"start\" to /proc/net/pktgen/pgctrl"));

    let after = TreeStatus::read_workers(system.as_ref(), &tree).unwrap();
    let before = Before::from([("eth0@0".to_owned(), None)]);
    let error = judge(&before, &after, true).unwrap_err();
    assert_eq!(error.to_string(), "the run failed: eth0@0 went away");
}
