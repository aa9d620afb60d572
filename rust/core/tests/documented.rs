// SPDX-License-Identifier: GPL-2.0

//! The user's document names every command and flag, and none that does not exist.

use std::collections::BTreeSet;

use rpktgen_core::{command, flags::Flags};

const DOCUMENT: &str = include_str!("../../../Documentation/rpktgen.rst");

/// What begins an entry: the first words in literals at the start of a line.
fn entries(section: &str) -> BTreeSet<&str> {
    section
        .lines()
        .filter(|line| line.starts_with("``"))
        .flat_map(|line| line.split("``").skip(1).step_by(2))
        .filter_map(|literal| literal.split([' ', '`']).next())
        .collect()
}

fn between(begin: &str, end: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

#[test]
fn commands() {
    let commands: BTreeSet<&str> = command::names().collect();
    let section = between("Size, amount and pace\n", "The result of a run\n");
    let (texts, flags) = section.split_once("``flag NAME``").unwrap();
    let mut documented = entries(texts);
    documented.insert("flag");
    assert_eq!(documented, commands);

    let known: BTreeSet<&str> = Flags::NAMES.iter().map(|(name, _)| *name).collect();
    let (_, table) = flags.split_once("flag                  meaning").unwrap();
    let listed: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("``")?.split("``").next())
        .collect();
    assert_eq!(listed, known);
}
