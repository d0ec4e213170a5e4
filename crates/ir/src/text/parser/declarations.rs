//! Everything outside functions: files, faults, classes and globals.

use heapwright_logic::{ClassId, Field, Sort};

use super::super::error::SyntaxError;
use super::super::token::TokenKind;
use super::super::vocabulary::fault;
use super::{Parsed, Parser};
use crate::global::Global;
use crate::program::{ClassInfo, ClassKind, FaultKind, FieldLayout, SourceFile};

impl Parser<'_> {
    /// A whole program.
    pub(super) fn program(&mut self) -> Parsed<()> {
        loop {
            let at = self.at;
            let abstracts = self.keyword("abstract");
            let synthetic = !abstracts && self.keyword("synthetic");
            if !synthetic && self.keyword("class") {
                if !self.program.functions.is_empty() {
                    return self.error_at(at, SyntaxError::LateClass);
                }
                self.class_declaration(!abstracts)?;
            } else if abstracts {
                return self.expected("`class`");
            } else if self.keyword("function") {
                let function = self.function(synthetic)?;
                self.program.functions.push(function);
            } else if synthetic {
                return self.expected("`function`");
            } else if self.keyword("global") {
                self.global()?;
            } else if self.keyword("manual_memory") {
                self.program.manual_memory = true;
                self.end_of_line()?;
            } else if self.keyword("file") {
                self.file()?;
            } else if self.keyword("fault") {
                self.fault()?;
            } else if *self.peek() == TokenKind::End {
                return Ok(());
            } else {
                return self
                    .expected("`class`, `global`, `function`, `file`, `fault` or `manual_memory`");
            }
        }
    }

    /// A file with its text: lines that begin with `|`.
    fn file(&mut self) -> Parsed<()> {
        let name = self.name("the name of a file")?.to_owned();
        self.end_of_line()?;
        let mut lines = Vec::new();
        while let TokenKind::Raw(line) = self.peek() {
            lines.push(*line);
            self.advance();
            self.end_of_line()?;
        }
        self.program.files.push(SourceFile {
            name,
            text: lines.join("\n"),
        });
        Ok(())
    }

    /// `fault NullDereference throws NullPointerException`
    fn fault(&mut self) -> Parsed<()> {
        let at = self.at;
        let kind = self.fault_kind()?;
        self.expect_keyword("throws", "`throws`")?;
        let class = self.class()?;
        if self.program.exceptions.insert(kind, class).is_some() {
            return self.error_at(at, SyntaxError::Twice("the fault"));
        }
        self.end_of_line()
    }

    /// `NullDereference`
    pub(super) fn fault_kind(&mut self) -> Parsed<FaultKind> {
        let kind = match self.peek() {
            TokenKind::Word(word) => fault(word),
            _ => None,
        };
        let Some(kind) = kind else {
            return self.expected("a fault, as in `NullDereference`");
        };
        self.advance();
        Ok(kind)
    }

    /// `counter: Counter` or `table: Ints length 16`, after the word `global`.
    fn global(&mut self) -> Parsed<()> {
        let name = self.name("the name of a global")?.to_owned();
        self.expect_sign(":", "`:` and a class")?;
        let class = self.class()?;
        let length = match self.keyword("length") {
            true => Some(self.number("a number of elements")?),
            false => None,
        };
        self.program.globals.push(Global {
            name,
            class,
            length,
        });
        self.end_of_line()
    }

    /// A class after the word `class`.
    fn class_declaration(&mut self, instantiable: bool) -> Parsed<()> {
        let id = if self.keyword("any") {
            ClassId::ANY
        } else {
            // The first walk has added it already, in the same order.
            self.name("the name of a class")?;
            self.classes_begun += 1;
            ClassId(self.classes_begun - 1)
        };
        let element = match self.keyword("array") {
            true => {
                self.expect_keyword("of", "`of` and the sort of the elements")?;
                Some(self.sort()?)
            }
            false => None,
        };
        if self.keyword("extends") {
            let superclass = self.class()?;
            self.program.definitions.class_mut(id).superclass = Some(superclass);
        }
        let mut info = ClassInfo {
            instantiable,
            ..ClassInfo::default()
        };
        if self.keyword("implements") {
            info.interfaces.push(self.class()?);
            while self.sign(",") {
                info.interfaces.push(self.class()?);
            }
        }
        let mut size = 0;
        if element.is_none() && self.keyword("size") {
            size = self.number("a number of bytes")?;
        }
        let layout = match self.sign("{") {
            true => self.class_body(id, &mut info, element)?,
            false => Vec::new(),
        };
        self.end_of_line()?;
        info.kind = match element {
            Some(element) => {
                self.program.definitions.set_element_sort(id, element);
                ClassKind::Array { element }
            }
            None => ClassKind::Struct { layout, size },
        };
        self.program.classes[id.index()] = info;
        Ok(())
    }

    /// Fields and methods of a class, up to the closing brace.
    fn class_body(
        &mut self,
        class: ClassId,
        info: &mut ClassInfo,
        element: Option<Sort>,
    ) -> Parsed<Vec<FieldLayout>> {
        let mut layout = Vec::new();
        self.end_of_line()?;
        while !self.sign("}") {
            let at = self.at;
            if self.keyword("method") {
                let name = self.name("the name of a method")?.to_owned();
                self.expect_sign("=", "`=` and a function")?;
                let function = self.function_reference()?;
                if info.methods.insert(name, function).is_some() {
                    return self.error_at(at, SyntaxError::Twice("the method"));
                }
            } else {
                let name = self.name("a field, a method or `}`")?.to_owned();
                self.expect_sign(":", "`:` and a sort")?;
                let sort = self.sort()?;
                let fields = &mut self.program.definitions.class_mut(class).fields;
                fields.push(Field { name, sort });
                if element.is_none() && self.keyword("at") {
                    let offset = self.number("an offset in bytes")?;
                    self.expect_keyword("size", "`size`")?;
                    let size = self.number("a number of bytes")?;
                    layout.push(FieldLayout { offset, size });
                }
            }
            self.end_of_line()?;
        }
        Ok(layout)
    }
}
