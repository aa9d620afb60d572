// SPDX-License-Identifier: GPL-2.0
//! The result of a device: what its last command or its last run ended with.

use serde::Serialize;

use super::{number, split};

/// Where a device is in the life of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing was asked of it yet.
    Idle,
    /// A run was accepted and has no end yet.
    Starting,
    /// A run ended; the summary says what it did.
    Finished,
    /// The last command was done.
    Ok,
    /// The last command or start was refused.
    Error,
    /// A text of another kind.
    Other,
}

/// The `Result:` of a device.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResult {
    /// The text as given, without its last line feed.
    pub text: String,
    /// Its meaning.
    pub phase: Phase,
    /// The figures, when a run has finished.
    pub summary: Option<Summary>,
}

/// What the kernel says of a finished run: the figures as it computed them, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// From start to stop.
    pub elapsed_us: u64,
    /// Part of it spent in sending. The reference can count more idle than elapsed time; the
    /// difference is then negative.
    pub busy_us: i64,
    /// Part of it spent in waiting.
    pub idle_us: u64,
    /// Packets sent.
    pub packets: u64,
    /// Size of the last packet as configured, without FCS.
    pub size: i64,
    /// Page fragments of the packet held at the end, -1 if none was held.
    pub frags: i64,
    /// Packets per second.
    pub pps: u64,
    /// Megabits per second, truncated.
    pub mbps: u64,
    /// Bits per second.
    pub bps: u64,
    /// Packets that were refused.
    pub errors: u64,
    /// How the run ended, in the kernel's words; `None` from the C module, which does not say.
    pub ended: Option<String>,
    /// Mean time a packet took, from start to stop; `None` if there was none. The only figure
    /// that is not in the text.
    pub ns_per_packet: Option<f64>,
}

/// The end of a run that sent its count.
pub const COUNT_REACHED: &str = "count reached";

/// The end of a run that someone stopped.
pub const STOPPED: &str = "stopped";

impl Summary {
    /// Did the run end although nobody wanted it to? False where the kernel does not say.
    pub fn broke_off(&self) -> bool {
        !matches!(self.ended.as_deref(), None | Some(COUNT_REACHED | STOPPED))
    }
}

/// Mean nanoseconds a packet, to a tenth.
pub fn ns_per_packet(elapsed_us: u64, packets: u64) -> Option<f64> {
    if packets == 0 {
        return None;
    }
    Some((elapsed_us as f64 * 10_000.0 / packets as f64).round() / 10.0)
}

/// Reads the text after `Result: `. The second value holds lines that do not belong to it.
pub fn parse(text: &str) -> (RunResult, Vec<String>) {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if let Some((summary, length, rest)) = parse_summary(text) {
        let result = RunResult {
            text: text.get(..length).unwrap_or(text).to_owned(),
            phase: Phase::Finished,
            summary: Some(summary),
        };
        return (result, rest.map(str::to_owned).collect());
    }
    // Any other text may have any number of lines (the list of flags has three), so all that
    // follows is taken for a part of it.
    let result = RunResult {
        text: text.to_owned(),
        phase: phase(text),
        summary: None,
    };
    (result, Vec::new())
}

fn phase(text: &str) -> Phase {
    const REFUSALS: [&str; 6] = [
        "ERROR:",
        "Error starting",
        "No memory",
        "No such parameter",
        "Flag -:",
        "xmit_mode -:",
    ];
    match text {
        "Idle" => Phase::Idle,
        "Starting" => Phase::Starting,
        _ if text.starts_with("OK:") => Phase::Ok,
        _ if REFUSALS.iter().any(|start| text.starts_with(start)) => Phase::Error,
        _ => Phase::Other,
    }
}

/// The two or three lines of a run's summary, their length, and the lines after them.
fn parse_summary(text: &str) -> Option<(Summary, usize, std::str::Lines<'_>)> {
    const ENDED: &str = "  ended: ";
    let mut lines = text.lines();
    let (first, second) = (lines.next()?, lines.next()?);
    let [elapsed, busy, idle, packets, size, frags, end] = split(
        first,
        ["OK: ", "(c", "+d", ") usec, ", " (", "byte,", "frags)"],
    )?;
    let [pps, mbps, bps, errors] = split(second, ["  ", "pps ", "Mb/sec (", "bps) errors: "])?;
    if !end.is_empty() {
        return None;
    }
    let (elapsed_us, packets) = (number(elapsed)?, number(packets)?);
    let mut length = first.len() + 1 + second.len();
    let mut rest = lines.clone();
    let third = rest.next().and_then(|line| line.strip_prefix(ENDED));
    let ended = third.filter(|why| !why.is_empty());
    if let Some(why) = ended {
        length += 1 + ENDED.len() + why.len();
        lines = rest;
    }
    let summary = Summary {
        elapsed_us,
        // Printed as u64; the sign comes back with the cast.
        busy_us: number::<u64>(busy)? as i64,
        idle_us: number(idle)?,
        packets,
        size: number(size)?,
        frags: number(frags)?,
        pps: number(pps)?,
        mbps: number(mbps)?,
        bps: number(bps)?,
        errors: number(errors)?,
        ended: ended.map(str::to_owned),
        ns_per_packet: ns_per_packet(elapsed_us, packets),
    };
    Some((summary, length, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "OK: 15430(c15405+d25) usec, 100000 (60byte,0frags)\n  \
                       6480881pps 3110Mb/sec (3110822880bps) errors: 0\n";

    #[test]
    fn summary() {
        let (result, other) = parse(RUN);
        assert_eq!(result.phase, Phase::Finished);
        assert_eq!(result.text, RUN.trim_end());
        assert!(other.is_empty());
        let summary = result.summary.unwrap();
        assert_eq!(
            summary,
            Summary {
                elapsed_us: 15430,
                busy_us: 15405,
                idle_us: 25,
                packets: 100_000,
                size: 60,
                frags: 0,
                pps: 6_480_881,
                mbps: 3110,
                bps: 3_110_822_880,
                errors: 0,
                ended: None,
                ns_per_packet: Some(154.3),
            }
        );
    }

    #[test]
    fn summary_of_nothing() {
        let text = "OK: 7(c18446744073709551612+d11) usec, 0 (0byte,-1frags)\n  \
                    0pps 0Mb/sec (0bps) errors: 3\n";
        let summary = parse(text).0.summary.unwrap();
        assert_eq!((summary.busy_us, summary.idle_us), (-4, 11));
        assert_eq!((summary.frags, summary.errors), (-1, 3));
        assert_eq!(summary.ns_per_packet, None);
    }

    #[test]
    fn ends() {
        // (third line, reason, is it one of the run's own)
        let table = [
            ("", None, false),
            ("  ended: count reached\n", Some("count reached"), false),
            ("  ended: stopped\n", Some("stopped"), false),
            ("  ended: netdev down\n", Some("netdev down"), true),
            ("  ended: no carrier\n", Some("no carrier"), true),
            ("  ended: CPU offline\n", Some("CPU offline"), true),
            ("  ended: device removed\n", Some("device removed"), true),
            (
                "  ended: out of ink: refill\n",
                Some("out of ink: refill"),
                true,
            ),
        ];
        for (line, why, broke_off) in table {
            let text = format!("{RUN}{line}");
            let (result, other) = parse(&text);
            assert_eq!(result.phase, Phase::Finished, "{line:?}");
            assert_eq!(result.text, text.trim_end());
            assert!(other.is_empty(), "{other:?}");
            let summary = result.summary.unwrap();
            assert_eq!(summary.packets, 100_000, "{line:?}");
            assert_eq!(summary.ended.as_deref(), why);
            assert_eq!(summary.broke_off(), broke_off, "{line:?}");
        }
    }

    #[test]
    fn lines_after_a_summary_are_kept() {
        let other_lines = [
            "     extension: 1",
            "  ended: ",
            "  ended:",
            " ended: stopped",
            "     ended: stopped",
        ];
        for line in other_lines {
            let (result, other) = parse(&format!("{RUN}{line}\n"));
            assert_eq!(result.text, RUN.trim_end());
            assert_eq!(result.summary.unwrap().ended, None);
            assert_eq!(other, [line]);
        }
        let whole = format!("{RUN}  ended: stopped");
        let (result, other) = parse(&format!("{whole}\n  ended: twice\n"));
        assert_eq!(result.text, whole);
        assert_eq!(other, ["  ended: twice"]);
    }

    #[test]
    fn phases() {
        let table = [
            ("Idle\n", Phase::Idle),
            ("Starting\n", Phase::Starting),
            ("OK: count=10\n", Phase::Ok),
            ("OK: Clearing counters.\n\n", Phase::Ok),
            ("Error starting\n", Phase::Error),
            ("No memory\n", Phase::Error),
            ("ERROR: tos must be 00-ff\n", Phase::Error),
            ("No such parameter \"x\"\n", Phase::Error),
            (
                "Flag -:x:- unknown\nAvailable flags, ...\nIPV6\n",
                Phase::Error,
            ),
            ("xmit_mode -:x:- unknown\n", Phase::Error),
            ("", Phase::Other),
            ("idle", Phase::Other),
            ("OK: count=10\n  ended: stopped\n", Phase::Ok),
            // A summary that was cut, or is none, stays what it says: OK.
            (
                "OK: 15430(c15405+d25) usec, 100000 (60byte,0frags)\n",
                Phase::Ok,
            ),
            (
                "OK: 1(c1+d1) usec, 1 (60byte,0frags)x\n  1pps 1Mb/sec (1bps) errors: 0",
                Phase::Ok,
            ),
            (
                "OK: x(c1+d1) usec, 1 (60byte,0frags)\n  1pps 1Mb/sec (1bps) errors: 0",
                Phase::Ok,
            ),
        ];
        for (text, phase) in table {
            let (result, other) = parse(text);
            assert_eq!(result.phase, phase, "{text:?}");
            assert_eq!(result.summary, None, "{text:?}");
            assert_eq!(result.text, text.strip_suffix('\n').unwrap_or(text));
            assert!(other.is_empty());
        }
    }
}
