// SPDX-License-Identifier: GPL-2.0
//! `rpktgen status` against trees of plain files: what it shows, and what it does when a file is
//! missing, forbidden, failing, or gone between listing and reading.

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use common::{binary, Ran, Root, BANNER, FRESH, LIMITED};
use serde_json::Value;

fn fields(line: &str) -> Vec<&str> {
    line.split('\t').collect()
}

#[test]
fn lines_for_a_pipe() {
    let root = Root::new();
    root.tree("pktgen");
    let ran = root.run(&["status"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<_> = ran.out.lines().map(fields).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0][..4], ["tree", "thread", "device", "state"]);
    let tree = "/proc/net/pktgen";
    // In the order of the worker's file; the figures of a run from its summary.
    assert_eq!(
        lines[1][..10],
        [
            tree,
            "kpktgend_0",
            "eth4@0",
            "stopped",
            "100000",
            "0",
            "15430",
            "6480881",
            "3110822880",
            "154.3"
        ]
    );
    assert!(lines[1][11].starts_with("OK: 15430(c15405+d25) usec, "));
    assert_eq!(
        lines[2][..10],
        [
            tree,
            "kpktgend_0",
            "lo@0",
            "stopped",
            "0",
            "0",
            "-",
            "-",
            "-",
            "-"
        ]
    );
    // While it runs, from its counters.
    assert_eq!(
        lines[3][..10],
        [
            tree,
            "kpktgend_1",
            "eth4@1",
            "running",
            "4000000",
            "17",
            "2000000",
            "2000000",
            "-",
            "500"
        ]
    );
    assert_eq!(lines[4][..3], [tree, "kpktgend_10", "-"]);
    for line in &lines {
        assert_eq!(line.len(), lines[0].len());
    }
    assert!(!ran.out.contains('\x1b'));
}

#[test]
fn json_document() {
    let root = Root::new();
    root.tree("pktgen");
    let ran = root.run(&["status", "--json"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let json = ran.json();
    assert_eq!(json["schema"], "rpktgen.status/1");
    let tree = &json["trees"][0];
    assert_eq!(tree["path"], "/proc/net/pktgen");
    assert_eq!(tree["version"], "2.75");
    let cpus: Vec<_> = tree["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| &t["cpu"])
        .collect();
    assert_eq!(cpus, [0, 1, 10]);
    let ran_device = &tree["threads"][0]["devices"][0];
    assert_eq!(ran_device["name"], "eth4@0");
    assert_eq!(ran_device["params"]["xmit_mode"], "netif_receive");
    assert_eq!(ran_device["params"]["ipv4"]["dst_min"], "198.18.0.42");
    assert_eq!(ran_device["result"]["phase"], "finished");
    assert_eq!(ran_device["result"]["summary"]["bps"], 3_110_822_880_u64);
    assert_eq!(ran_device["result"]["summary"]["ns_per_packet"], 154.3);
    let running = &tree["threads"][1]["devices"][0];
    assert_eq!(running["state"], "running");
    assert_eq!(running["params"]["delay_ns"], u64::MAX);
    assert_eq!(running["live"]["pps"], 2_000_000);
    assert_eq!(running["result"]["phase"], "starting");
}

/// The rate and the end of a run, where the kernel shows them; null and `-` where it does not.
#[test]
fn rate_and_end() {
    let root = Root::new();
    root.tree("pktgen");
    root.file("proc/net/pktgen/lo@0", &LIMITED.replace("eth4@2", "lo@0"));
    let json = root.run(&["status", "--json"]).json();
    let [without, with] = [0, 1].map(|i| &json["trees"][0]["threads"][0]["devices"][i]);
    for (device, pps, ended) in [
        (without, Value::Null, Value::Null),
        (with, 7_000_000.into(), "no carrier".into()),
    ] {
        assert_eq!(device["params"]["pps"], pps);
        assert_eq!(device["params"]["bps"], Value::Null);
        assert_eq!(device["result"]["phase"], "finished");
        assert_eq!(device["result"]["summary"]["ended"], ended);
        assert_eq!(device["other"], serde_json::json!([]));
    }
    let ran = root.run(&["status"]);
    let lines: Vec<_> = ran.out.lines().map(fields).collect();
    assert_eq!(lines[0][10..], ["settings", "result", "ended"]);
    assert_eq!(lines[1][12], "-");
    assert!(lines[2][10].contains(" pps=7000000 "), "{:?}", lines[2]);
    assert!(lines[2][11].ends_with(" errors: 0   ended: no carrier"));
    assert_eq!(lines[2][12], "no carrier");
    assert_eq!(lines[4][11..], ["NA", "-"]);
}

#[test]
fn all_trees_or_the_one_named() {
    let root = Root::new();
    root.tree("pktgen");
    root.tree("mine");
    // Half a tree is none.
    fs::create_dir(root.path("proc/net/half")).unwrap();
    root.file("proc/net/half/pgctrl", BANNER);
    let paths = |args: &[&str]| -> Vec<String> {
        let json = root.run(args).json();
        let trees = json["trees"].as_array().unwrap().iter();
        trees
            .map(|t| t["path"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        paths(&["status", "--json"]),
        ["/proc/net/mine", "/proc/net/pktgen"]
    );
    assert_eq!(
        paths(&["status", "--json", "--proc", "/proc/net/pktgen"]),
        ["/proc/net/pktgen"]
    );
}

#[test]
fn nothing_there() {
    let root = Root::new();
    root.run(&["status"]).refused(4, &["/proc/net", "load one"]);
    root.run(&["status", "--json"])
        .refused(4, &["/proc/net", "load one"]);
    root.run(&["status", "--proc", "/proc/net/pktgen"])
        .refused(4, &["cannot list /proc/net/pktgen", "No such file"]);
    root.run(&["status", "--proc", "/proc/net/stat"]).refused(
        4,
        &["/proc/net/stat is no directory of the packet generator"],
    );
    root.run(&["status", "--proc", "/proc/net/dev"])
        .refused(1, &["cannot list /proc/net/dev", "Not a directory"]);
}

/// The binary as a user without any privilege: a root's test would see no refusal.
fn as_nobody(root: &Root, args: &[&str]) -> Ran {
    let id = Command::new("id").arg("-u").output().unwrap().stdout;
    // The build directory may be closed to others. Another process makes the copy: a test beside
    // this one may fork while the file is open for writing here, and nobody could execute it.
    let copy = root.path("rpktgen");
    let mut install = Command::new("install");
    install.args(["-m", "755"]).args([binary(), &copy]);
    assert!(install.status().unwrap().success());
    let mut command = Command::new(&copy);
    command.arg("--root").arg(root.path("")).args(args);
    if id.trim_ascii() == b"0" {
        command.uid(65534).gid(65534);
    }
    Ran::of(command.output().unwrap())
}

#[test]
fn not_permitted() {
    let root = Root::new();
    root.tree("pktgen");
    // For the owner, who may be the one who tests, 0600 is no refusal.
    for file in [
        "pgctrl",
        "kpktgend_0",
        "kpktgend_1",
        "kpktgend_10",
        "lo@0",
        "eth4@0",
        "eth4@1",
    ] {
        let path = root.path("proc/net/pktgen").join(file);
        fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    }
    as_nobody(&root, &["status"]).refused(
        3,
        &[
            "cannot read /proc/net/pktgen/pgctrl: Permission denied",
            "run it as root",
        ],
    );
    for command in ["stop", "reset"] {
        let ran = as_nobody(&root, &[command]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    }
    as_nobody(&root, &["start"]).refused(3, &["cannot read /proc/net/pktgen/"]);
    assert_eq!(
        fs::read_to_string(root.path("proc/net/pktgen/pgctrl")).unwrap(),
        BANNER
    );
}

#[test]
fn one_forbidden_file_hides_no_other() {
    let root = Root::new();
    root.tree("pktgen");
    for file in [
        "pgctrl",
        "kpktgend_0",
        "kpktgend_1",
        "kpktgend_10",
        "lo@0",
        "eth4@0",
        "eth4@1",
    ] {
        let mode = if file == "eth4@1" { 0o000 } else { 0o644 };
        let path = root.path("proc/net/pktgen").join(file);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    let ran = as_nobody(&root, &["status", "--json"]);
    assert_eq!(ran.status, Some(3));
    assert_eq!(ran.err.lines().count(), 1);
    assert!(ran
        .err
        .contains("cannot read /proc/net/pktgen/eth4@1: Permission denied"));
    let json = ran.json();
    let tree = &json["trees"][0];
    assert_eq!(
        tree["threads"][0]["devices"][0]["result"]["phase"],
        "finished"
    );
    let hidden = &tree["threads"][1]["devices"][0];
    assert_eq!(hidden["state"], "running");
    assert_eq!(hidden["file"], "eth4@1");
    assert!(hidden["params"].is_null());
    assert_eq!(tree["problems"][0]["path"], "/proc/net/pktgen/eth4@1");
}

/// Reading `/proc/self/mem` at 0 is an EIO that every kernel has.
#[test]
fn failing_reads() {
    let root = Root::new();
    root.tree("pktgen");
    fs::remove_file(root.path("proc/net/pktgen/eth4@0")).unwrap();
    root.link("proc/net/pktgen/eth4@0", "/proc/self/mem");
    fs::remove_file(root.path("proc/net/pktgen/kpktgend_1")).unwrap();
    root.link("proc/net/pktgen/kpktgend_1", "/proc/self/mem");
    let ran = root.run(&["status", "--json"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    for file in ["eth4@0", "kpktgend_1"] {
        let line = format!("cannot read /proc/net/pktgen/{file}: Input/output error");
        assert!(ran.err.contains(&line), "{}", ran.err);
    }
    let json = ran.json();
    let tree = &json["trees"][0];
    assert_eq!(tree["problems"].as_array().unwrap().len(), 2);
    assert_eq!(tree["threads"].as_array().unwrap().len(), 2);
    // Its worker cannot be asked, so nobody knows whether it runs.
    assert_eq!(tree["unlisted"][0]["name"], "eth4@1");
    assert_eq!(tree["unlisted"][0]["state"], "unknown");

    root.link("proc/net/pktgen/dir", ".");
    fs::remove_file(root.path("proc/net/pktgen/pgctrl")).unwrap();
    root.link("proc/net/pktgen/pgctrl", "/proc/self/mem");
    root.run(&["status"]).refused(
        1,
        &["cannot read /proc/net/pktgen/pgctrl: Input/output error"],
    );
}

/// A link to nowhere is in the listing, and there is no file behind it.
#[test]
fn gone_between_listing_and_reading() {
    let root = Root::new();
    root.tree("pktgen");
    fs::remove_file(root.path("proc/net/pktgen/eth4@0")).unwrap();
    root.link("proc/net/pktgen/eth4@0", "nowhere");
    let ran = root.run(&["status", "--json"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let json = ran.json();
    let gone = &json["trees"][0]["threads"][0]["devices"][0];
    assert_eq!(gone["name"], "eth4@0");
    assert!(gone["file"].is_null() && gone["result"].is_null());
    assert!(json["trees"][0]["problems"].as_array().unwrap().is_empty());
}

#[test]
fn renamed_interface() {
    let root = Root::new();
    root.tree("pktgen");
    let dir = root.path("proc/net/pktgen");
    fs::rename(dir.join("lo@0"), dir.join("loopback")).unwrap();
    let json = root.run(&["status", "--json"]).json();
    let device = &json["trees"][0]["threads"][0]["devices"][1];
    assert_eq!(device["name"], "lo@0");
    assert_eq!(device["file"], "loopback");
    assert!(json["trees"][0]["unlisted"].as_array().unwrap().is_empty());
}

#[test]
fn garbage_is_shown_not_feared() {
    let root = Root::new();
    root.tree("pktgen");
    root.file(
        "proc/net/pktgen/kpktgend_10",
        "Node: 1\n\0\u{7f}\nRunning: ghost \n",
    );
    let with_line = FRESH.replace("Current:\n", "     turbo: \x1b[2J on\nCurrent:\n");
    root.file("proc/net/pktgen/lo@0", &with_line);
    fs::write(root.path("proc/net/pktgen/eth4@0"), [0xff, 0xfe, b'\n', 0]).unwrap();
    let json = root.run(&["status", "--json"]).json();
    let tree = &json["trees"][0];
    assert_eq!(
        tree["threads"][2]["other"],
        serde_json::json!(["Node: 1", "\0\u{7f}"])
    );
    assert_eq!(tree["threads"][2]["devices"][0]["name"], "ghost");
    let lo = &tree["threads"][0]["devices"][1];
    assert_eq!(lo["other"], serde_json::json!(["     turbo: \x1b[2J on"]));
    assert_eq!(
        tree["threads"][0]["devices"][0]["other"][0],
        "\u{fffd}\u{fffd}"
    );
    assert!(!root.run(&["status"]).out.contains('\x1b'));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let root = Root::new();
    root.tree("pktgen");
    // A child that has ended has closed its end of the pipe.
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let closed = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    let output = root
        .command()
        .arg("status")
        .stdout(closed)
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = root.command().arg("status").stdout(full).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err.contains("cannot write to standard output: No space left"),
        "{err}"
    );
}

#[test]
fn usage() {
    let root = Root::new();
    root.run(&["status", "--jsn"]).refused(2, &["--jsn"]);
    root.run(&[]).refused(2, &["--help"]);
    for args in [&["--help"][..], &["status", "--help"], &["start", "--help"]] {
        let ran = root.run(args);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.contains("Examples:"), "{}", ran.out);
    }
    let version = root.run(&["--version"]);
    assert_eq!(
        version.out,
        format!("rpktgen {}\n", env!("CARGO_PKG_VERSION"))
    );
}
