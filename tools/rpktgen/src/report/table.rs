// SPDX-License-Identifier: GPL-2.0
//! Tables for a terminal: what each device did, and below what it is set to.

use super::figures::Figures;
use super::settings::settings;
use super::style::{grouped, Role, Style};
use super::visible;
use crate::snapshot::{DeviceStatus, State, ThreadStatus, TreeStatus};
use crate::text::result::{Phase, COUNT_REACHED, STOPPED};

/// The report on `trees`.
pub fn render(trees: &[TreeStatus], style: Style) -> String {
    let parts: Vec<_> = trees.iter().map(|tree| render_tree(tree, style)).collect();
    parts.join("\n")
}

fn render_tree(tree: &TreeStatus, style: Style) -> String {
    let devices: Vec<_> = tree.devices().collect();
    let mut text = heading(tree, devices.len(), style);
    if !devices.is_empty() {
        text.push_str(&align(&runs(&devices), style));
        text.push('\n');
        text.push_str(&align(&configuration(&devices), style));
    }
    let idle: Vec<_> = tree
        .threads
        .iter()
        .filter(|thread| thread.devices.is_empty())
        .map(|thread| thread.cpu)
        .collect();
    if !idle.is_empty() {
        let line = format!("without devices: kpktgend_{}", ranges(&idle));
        text.push_str(&style.paint(Role::Dim, &line));
        text.push('\n');
    }
    for line in unknown_lines(tree) {
        text.push_str(&style.paint(Role::Dim, &line));
        text.push('\n');
    }
    text
}

fn heading(tree: &TreeStatus, devices: usize, style: Style) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = vec![visible(&tree.path.to_string_lossy())];
    if let Some(version) = &tree.version {
        parts.push(format!("version {}", visible(version)));
    }
    parts.push(plural(tree.threads.len(), "thread"));
    parts.push(plural(devices, "device"));
    parts.push(format!("{} running", tree.running().len()));
    format!("{}\n", style.paint(Role::Heading, &parts.join(", ")))
}

/// One cell: the text, its colour, and whether it is a figure (right-aligned).
struct Cell {
    text: String,
    role: Role,
    figure: bool,
}

impl Cell {
    fn text(text: impl AsRef<str>, role: Role) -> Self {
        Self {
            text: visible(text.as_ref()),
            role,
            figure: false,
        }
    }

    fn figure(text: Option<String>) -> Self {
        Self {
            text: text.unwrap_or_else(|| "-".to_owned()),
            role: Role::Plain,
            figure: true,
        }
    }

    fn head(text: &str, figure: bool) -> Self {
        Self {
            text: text.to_owned(),
            role: Role::Heading,
            figure,
        }
    }
}

fn runs(devices: &[(Option<&ThreadStatus>, &DeviceStatus)]) -> Vec<Vec<Cell>> {
    let mut rows = vec![vec![
        Cell::head("THREAD", false),
        Cell::head("DEVICE", false),
        Cell::head("STATE", false),
        Cell::head("PACKETS", true),
        Cell::head("PPS", true),
        Cell::head("MBIT/S", true),
        Cell::head("NS/PKT", true),
        Cell::head("TIME", true),
        Cell::head("ERRORS", true),
        Cell::head("RESULT", false),
    ]];
    for (thread, device) in devices {
        let figures = Figures::of(device);
        let (state, role) = match device.state {
            State::Running => ("running", Role::Good),
            State::Stopped => ("stopped", Role::Plain),
            State::Unknown => ("unknown", Role::Bad),
        };
        let mut errors = Cell::figure(figures.errors.map(grouped));
        if figures.errors.is_some_and(|n| n > 0) {
            errors.role = Role::Bad;
        }
        rows.push(vec![
            Cell::text(thread.map_or("-", |t| &t.name), Role::Plain),
            Cell::text(&device.name, Role::Plain),
            Cell::text(state, role),
            Cell::figure(figures.packets.map(grouped)),
            Cell::figure(figures.pps.map(grouped)),
            Cell::figure(figures.bps.map(|bps| grouped(bps / 1_000_000))),
            Cell::figure(figures.ns_per_packet.map(|ns| format!("{ns:.1}"))),
            Cell::figure(figures.elapsed_us.map(duration)),
            errors,
            result(device),
        ]);
    }
    rows
}

fn result(device: &DeviceStatus) -> Cell {
    let Some(result) = &device.result else {
        let why = match device.file {
            Some(_) => "unreadable",
            None => "gone",
        };
        return Cell::text(why, Role::Bad);
    };
    let first = result.text.lines().next().unwrap_or_default();
    match result.phase {
        // Its figures have columns of their own.
        Phase::Finished => end(device.summary().and_then(|s| s.ended.as_deref())),
        Phase::Error => Cell::text(first, Role::Bad),
        _ => Cell::text(first, Role::Plain),
    }
}

/// The end of a run, with its reason where there is one to mention.
fn end(why: Option<&str>) -> Cell {
    let (why, role) = match why {
        None | Some(COUNT_REACHED) => return Cell::text("finished", Role::Good),
        Some(STOPPED) => (STOPPED, Role::Plain),
        Some(why) => (why, Role::Bad),
    };
    Cell::text(format!("ended: {why}"), role)
}

fn configuration(devices: &[(Option<&ThreadStatus>, &DeviceStatus)]) -> Vec<Vec<Cell>> {
    let mut rows = vec![vec![
        Cell::head("DEVICE", false),
        Cell::head("SETTINGS", false),
    ]];
    for (_, device) in devices {
        let Some(params) = &device.params else {
            continue;
        };
        rows.push(vec![
            Cell::text(&device.name, Role::Plain),
            Cell::text(settings(params).join(" "), Role::Plain),
        ]);
    }
    rows
}

fn unknown_lines(tree: &TreeStatus) -> Vec<String> {
    let threads = tree.threads.iter().map(|t| (&t.name, &t.other));
    let devices = tree.devices().map(|(_, d)| (&d.name, &d.other));
    threads
        .chain(devices)
        .flat_map(|(name, lines)| lines.iter().map(move |line| (name, line)))
        .map(|(name, line)| visible(&format!("{name} also says: {}", line.trim())))
        .collect()
}

/// Rows of equal length as lines, two spaces between columns, none at the end.
fn align(rows: &[Vec<Cell>], style: Style) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|c| c.text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let last = row.len().saturating_sub(1);
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(cell.text.chars().count()));
            let painted = style.paint(cell.role, &cell.text);
            match (cell.figure, i == last) {
                (true, _) => text.push_str(&format!("{pad}{painted}")),
                (false, false) => text.push_str(&format!("{painted}{pad}")),
                (false, true) => text.push_str(&painted),
            }
            if i != last {
                text.push_str("  ");
            }
        }
        text.push('\n');
    }
    text
}

/// Microseconds for people: three or more digits of meaning and a unit.
fn duration(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} us"),
        1_000..1_000_000 => format!("{:.2} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

/// `[0, 1, 2, 5]` as `0-2,5`, as the kernel writes CPU lists.
fn ranges(cpus: &[u32]) -> String {
    let mut groups: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match groups.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cpu) => *last = cpu,
            _ => groups.push((cpu, cpu)),
        }
    }
    let groups: Vec<_> = groups
        .iter()
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let table = [
            (0, "0 us"),
            (999, "999 us"),
            (15_430, "15.43 ms"),
            (2_000_000, "2.00 s"),
        ];
        for (us, text) in table {
            assert_eq!(duration(us), text);
        }
    }

    #[test]
    fn cpu_lists() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[u32::MAX]), "4294967295");
    }

    #[test]
    fn ends() {
        let table = [
            (None, "finished", Role::Good),
            (Some("count reached"), "finished", Role::Good),
            (Some("stopped"), "ended: stopped", Role::Plain),
            (Some("no carrier"), "ended: no carrier", Role::Bad),
            (Some("\x1b[2J"), "ended: \u{fffd}[2J", Role::Bad),
        ];
        for (why, text, role) in table {
            let cell = end(why);
            assert_eq!((cell.text.as_str(), cell.role), (text, role));
        }
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![
            vec![
                Cell::head("NAME", false),
                Cell::head("N", true),
                Cell::head("R", false),
            ],
            vec![
                Cell::text("a\x1b[2J", Role::Good),
                Cell::figure(Some("10".to_owned())),
                Cell::text("ok", Role::Plain),
            ],
        ];
        assert_eq!(
            align(&rows, Style { colour: false }),
            "NAME    N  R\na\u{fffd}[2J  10  ok\n"
        );
        let coloured = align(&rows, Style { colour: true });
        assert!(coloured.contains("\x1b[32ma\u{fffd}[2J\x1b[0m  10"));
    }
}
