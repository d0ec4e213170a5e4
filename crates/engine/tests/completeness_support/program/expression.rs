//! Random expressions and conditions over the variables in scope.

use super::{Record, Writer};

impl Writer<'_> {
    pub(super) fn condition(&mut self) -> String {
        match self.numbers.below(100) {
            0..30 => {
                let (path, _) = self.object(1);
                let op = self.pick(&["==", "/="]);
                format!("{path} {op} nil")
            }
            30..52 => {
                let (path, ty) = self.object(1);
                let mut other = self.reference(ty, 1);
                if other == path {
                    other = "nil".to_owned();
                }
                let op = self.pick(&["==", "/="]);
                format!("{path} {op} {other}")
            }
            52..62 => match self.paths(1, "bool") {
                truths if truths.is_empty() => self.comparison(),
                truths => {
                    let not = self.pick(&["", "!"]);
                    format!("{not}{}", self.pick(&truths))
                }
            },
            62..88 => self.comparison(),
            _ => {
                let (left, right) = (self.comparison(), self.condition());
                let op = self.pick(&["&&", "||"]);
                let not = self.pick(&["", "", "!"]);
                format!("{not}({left} {op} {right})")
            }
        }
    }

    pub(super) fn comparison(&mut self) -> String {
        let left = match self.chance(70) {
            true => self.some_path(1, "int"),
            false => self.some_path(0, "int"),
        };
        let mut right = self.integer(1);
        if right == left {
            right = self.constant();
        }
        let op = self.pick(&["==", "/=", "<", "<=", ">", ">="]);
        format!("{left} {op} {right}")
    }

    pub(super) fn expression(&mut self, ty: &'static str) -> String {
        match ty {
            "int" => self.integer(2),
            "bool" => match self.paths(1, "bool") {
                truths if !truths.is_empty() && self.chance(50) => self.pick(&truths),
                _ => self.pick(&["true".to_owned(), "false".to_owned()]),
            },
            _ if self.chance(12) => self.new_object(ty),
            _ => self.reference(ty, 2),
        }
    }

    /// A value without any dereference.
    pub(super) fn simple(&mut self, ty: &'static str) -> String {
        match ty {
            "int" => self.constant(),
            _ => self.reference(ty, 0),
        }
    }

    pub(super) fn new_object(&mut self, ty: &'static str) -> String {
        if self.chance(30) {
            return format!("new {ty}");
        }
        let fields = self.record(ty).fields;
        let values: Vec<_> = (fields.iter())
            .map(|(ty, _)| match *ty {
                "bool" => "true".to_owned(),
                "int" => self.integer(1),
                ty => self.reference(ty, 0),
            })
            .collect();
        format!("new {ty}({})", values.join(", "))
    }

    pub(super) fn constant(&mut self) -> String {
        (self.numbers.below(5) as i64 - 2).to_string()
    }

    /// An integer of up to this many summands.
    pub(super) fn integer(&mut self, summands: u32) -> String {
        let first = match self.numbers.below(10) {
            0..3 => self.constant(),
            3..6 => self.some_path(0, "int"),
            _ => self.some_path(1, "int"),
        };
        if summands <= 1 || self.chance(55) {
            return first;
        }
        let op = self.pick(&["+", "-"]);
        format!("{first} {op} {}", self.integer(summands - 1))
    }

    pub(super) fn some_path(&mut self, fields: u32, ty: &'static str) -> String {
        let found = self.paths(fields, ty);
        match found.is_empty() {
            true => self.constant(),
            false => self.pick(&found),
        }
    }

    /// A reference of a type, up to this many fields away from a variable.
    pub(super) fn reference(&mut self, ty: &'static str, fields: u64) -> String {
        let fields = match self.numbers.below(10) {
            0..5 => 0,
            5..8 => fields.min(1),
            _ => fields,
        };
        let found = self.paths(fields as u32, ty);
        match found.is_empty() || self.chance(8) {
            true => "nil".to_owned(),
            false => self.pick(&found),
        }
    }

    /// Something that has fields, with its type, up to this many fields away from a variable.
    pub(super) fn object(&mut self, fields: u64) -> (String, &'static str) {
        if let Some(guarded) = self.guarded.clone()
            && self.chance(50)
        {
            return guarded;
        }
        let fields = match self.numbers.below(10) {
            0..7 => 0,
            _ => fields as u32,
        };
        let records = self.signature.records;
        let mut found: Vec<_> = (records.iter())
            .flat_map(|record| {
                let paths = self.paths(fields, record.name).into_iter();
                paths.map(|path| (path, record.name))
            })
            .collect();
        if found.is_empty() {
            found = (self.scope.iter().filter(|v| v.ty != "int"))
                .map(|variable| (variable.name.clone(), variable.ty))
                .collect();
        }
        self.pick(&found)
    }

    /// All paths of exactly this many fields from a variable that have a type.
    pub(super) fn paths(&self, fields: u32, ty: &str) -> Vec<String> {
        let variables = self.scope.iter();
        let mut paths: Vec<_> = variables.map(|v| (v.name.clone(), v.ty)).collect();
        for _ in 0..fields {
            paths = (paths.iter())
                .flat_map(|(path, ty)| {
                    let record = self.signature.records.iter().find(|r| r.name == *ty);
                    let fields = record.map_or(&[][..], |record| record.fields);
                    fields
                        .iter()
                        .map(move |(ty, field)| (format!("{path}.{field}"), *ty))
                })
                .collect();
        }
        paths.retain(|(_, found)| *found == ty);
        paths.into_iter().map(|(path, _)| path).collect()
    }

    /// The fields of one type of a variable of another.
    pub(super) fn steps(&self, name: &str, from: &str, to: &str) -> Vec<String> {
        let record = self
            .signature
            .records
            .iter()
            .find(|record| record.name == from);
        let fields = record.map_or(&[][..], |record| record.fields);
        (fields.iter().filter(|(ty, _)| *ty == to))
            .map(|(_, field)| format!("{name}.{field}"))
            .collect()
    }

    pub(super) fn record(&self, name: &str) -> &'static Record {
        let mut records = self.signature.records.iter();
        records.find(|record| record.name == name).unwrap()
    }
}
