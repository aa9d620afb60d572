// SPDX-License-Identifier: GPL-2.0
//! Every document that the command prints is what its schema promises, and the schema promises
//! nothing less than what is printed.

mod common;

use std::fs;
use std::path::Path;

use boon::{Compiler, Schemas};
use common::{Root, FRESH, LIMITED};
use serde_json::Value;

const FILE: &str = "schemas/rpktgen.status-1.schema.json";

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Readers must accept fields they do not know; here a field that is not described is an error,
/// and so is one that is described and missing.
fn strict(schema: &mut Value) {
    if let Value::Object(map) = schema {
        if let Some(Value::Object(properties)) = map.get("properties") {
            let names: Vec<_> = properties.keys().cloned().map(Value::from).collect();
            map.insert("additionalProperties".into(), false.into());
            map.insert("required".into(), names.into());
        }
        map.values_mut().for_each(strict);
    } else if let Value::Array(list) = schema {
        list.iter_mut().for_each(strict);
    }
}

fn check(schema: Value, document: &Value) -> Result<(), String> {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("status.json", schema).unwrap();
    let index = compiler.compile("status.json", &mut schemas).unwrap();
    schemas
        .validate(document, index)
        .map_err(|e| format!("{e:#}"))
}

fn documents() -> Vec<Value> {
    let root = Root::new();
    root.tree("pktgen");
    root.tree("rpktgen");
    // A rate and the end of a run, a problem, a vanished device, unknown lines, an unlisted device.
    root.file("proc/net/pktgen/lo@0", &LIMITED.replace("eth4@2", "lo@0"));
    root.link("proc/net/rpktgen/kpktgend_2", "/proc/self/mem");
    root.file("proc/net/rpktgen/eth9", &FRESH.replace("lo@0", "eth9"));
    root.file("proc/net/rpktgen/lo@0", "what?\nResult: ERROR: x\n");
    fs::remove_file(root.path("proc/net/rpktgen/eth4@0")).unwrap();
    let all = root.run(&["status", "--json"]);
    assert_eq!(all.status, Some(1));
    vec![
        all.json(),
        root.run(&["status", "--json", "--proc", "/proc/net/pktgen"])
            .json(),
    ]
}

#[test]
fn documents_match() {
    let mut strict_schema = schema();
    strict(&mut strict_schema);
    for document in documents() {
        check(schema(), &document).unwrap();
        check(strict_schema.clone(), &document).unwrap();
    }
}

/// The check itself can fail.
#[test]
fn other_documents_do_not() {
    let good = documents().remove(0);
    let change = |pointer: &str, value: Value| {
        let mut document = good.clone();
        *document.pointer_mut(pointer).unwrap() = value;
        document
    };
    let device = "/trees/0/threads/0/devices/0";
    let table = [
        change("/schema", "rpktgen.status/2".into()),
        change("/trees/0/path", 1.into()),
        change(&format!("{device}/state"), "asleep".into()),
        change(&format!("{device}/params/count"), "1".into()),
        change(&format!("{device}/result/summary/pps"), (-1).into()),
        change(&format!("{device}/result/phase"), Value::Null),
        change(&format!("{device}/result/summary/ended"), 1.into()),
        change(&format!("{device}/params/pps"), "7M".into()),
    ];
    for document in table {
        check(schema(), &document).unwrap_err();
    }
    let mut missing = good.clone();
    missing["trees"][0]
        .as_object_mut()
        .unwrap()
        .remove("threads");
    check(schema(), &missing).unwrap_err();
}
