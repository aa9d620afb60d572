// SPDX-License-Identifier: GPL-2.0
//! The text of a worker's file, `kpktgend_<cpu>`.

/// What a worker says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadText {
    /// Devices that run, the most recently added first. Names as given to `add_device`.
    pub running: Vec<String>,
    /// Devices that do not run, in the same order.
    pub stopped: Vec<String>,
    /// Outcome of the last command, `NA` if there was none.
    pub result: Option<String>,
    /// Lines of no known form.
    pub other: Vec<String>,
}

/// Reads the text of a worker's file.
pub fn parse(text: &str) -> ThreadText {
    let mut thread = ThreadText::default();
    for line in text.lines() {
        if let Some(list) = line.strip_prefix("Running: ") {
            thread.running.extend(names(list));
        } else if let Some(list) = line.strip_prefix("Stopped: ") {
            thread.stopped.extend(names(list));
        } else if let (Some(result), None) = (line.strip_prefix("Result: "), &thread.result) {
            thread.result = Some(result.to_owned());
        } else {
            thread.other.push(line.to_owned());
        }
    }
    thread
}

/// Names are separated by one space and cannot contain one.
fn names(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(' ')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        // (text, running, stopped, result, other)
        type Row<'a> = (
            &'a str,
            &'a [&'a str],
            &'a [&'a str],
            Option<&'a str>,
            &'a [&'a str],
        );
        let table: &[Row<'_>] = &[
            (
                "Running: \nStopped: \nResult: NA\n",
                &[],
                &[],
                Some("NA"),
                &[],
            ),
            (
                "Running: \nStopped: eth4@0 \nResult: OK: add_device=eth4@0\n",
                &[],
                &["eth4@0"],
                Some("OK: add_device=eth4@0"),
                &[],
            ),
            (
                "Running: b@1 a@1 \nStopped: c \nResult: NA\n",
                &["b@1", "a@1"],
                &["c"],
                Some("NA"),
                &[],
            ),
            // Cut off, empty, and from a future version.
            ("", &[], &[], None, &[]),
            ("Running:\n", &[], &[], None, &["Running:"]),
            (
                "Result: one\nResult: two\nNode: 1\n",
                &[],
                &[],
                Some("one"),
                &["Result: two", "Node: 1"],
            ),
        ];
        for &(text, running, stopped, result, other) in table {
            let thread = parse(text);
            assert_eq!(thread.running, running, "{text:?}");
            assert_eq!(thread.stopped, stopped, "{text:?}");
            assert_eq!(thread.result.as_deref(), result, "{text:?}");
            assert_eq!(thread.other, other, "{text:?}");
        }
    }
}
