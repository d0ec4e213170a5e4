//! Functions that C does not have: for structs inside of others, for `free` and for new objects.

use heapwright_ir::{
    BinaryOp, Comparison, Constant, Function, FunctionId, Operand, Operation, Position, Reg,
    Terminator,
};
use heapwright_logic::{ClassId, Sort};

use super::Lowering;
use super::builder::Builder;

const FIRST: Operand = Operand::Register(Reg(0));

impl Lowering<'_> {
    fn add_synthetic(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.first_synthetic + self.synthetic.len() as u32);
        self.methods.insert(function.name.clone(), id);
        self.synthetic.push(Function {
            synthetic: true,
            ..function
        });
        id
    }

    fn class_name(&self, class: ClassId) -> String {
        self.classes.definitions.class(class).name.clone()
    }

    /// The parts of a struct, with the fields that lead to them.
    fn parts(&self, class: ClassId) -> Vec<(u32, ClassId)> {
        let mut parts: Vec<(u32, ClassId)> = (self.classes.parts.iter())
            .filter(|((outer, _), _)| *outer == class)
            .map(|(&(_, field), &part)| (field, part))
            .collect();
        parts.sort_unstable();
        parts
    }

    /// A function that makes a struct, with all that is inside of it.
    pub(super) fn new_function(&mut self, class: ClassId) -> FunctionId {
        let name = format!("new {}", self.class_name(class));
        if let Some(&known) = self.methods.get(&name) {
            return known;
        }
        let mut builder = Builder::new();
        let object = builder.value(Sort::Ref(class), |to| Operation::New { to, class });
        self.make_inside(&mut builder, class, object);
        builder.end(Terminator::Return(Some(object)));
        let function = builder.finish(&name, 0, Some(Sort::Ref(class)), Position::default());
        self.add_synthetic(function)
    }

    /// Makes what is inside of a struct: structs and arrays.
    fn make_inside(&mut self, builder: &mut Builder, class: ClassId, object: Operand) {
        let fields = self.classes.definitions.class(class).fields.clone();
        for rule in self.classes.rules.of_fields(class).to_vec() {
            use heapwright_ir::Content;
            let Some(Sort::Ref(inside)) = fields.get(rule.field as usize).map(|field| field.sort)
            else {
                continue;
            };
            let made = match rule.content {
                Content::Array(length) => {
                    let length =
                        super::builder::int(heapwright_logic::IntType::U64, i128::from(length));
                    builder.value(Sort::Ref(inside), |to| Operation::NewArray {
                        to,
                        class: inside,
                        length,
                    })
                }
                Content::Partner(back) if self.classes.rules.parts.contains(&inside) => {
                    let made =
                        builder.value(Sort::Ref(inside), |to| Operation::New { to, class: inside });
                    builder.emit(Operation::Store {
                        object: made,
                        class: inside,
                        field: back,
                        value: object,
                    });
                    self.make_inside(builder, inside, made);
                    made
                }
                _ => continue,
            };
            builder.emit(Operation::Store {
                object,
                class,
                field: rule.field,
                value: made,
            });
        }
    }

    /// A function that frees a struct with all that is inside of it; nothing for null.
    pub(super) fn free_function(&mut self, class: ClassId) -> FunctionId {
        let name = format!("free {}", self.class_name(class));
        if let Some(&known) = self.methods.get(&name) {
            return known;
        }
        let mut builder = Builder::new();
        builder.register(Some("object"), Sort::Ref(class));
        let (free, done) = (builder.block(), builder.block());
        let is_null = builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Compare(Comparison::Eq),
            a: FIRST,
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition: is_null,
            then: done,
            otherwise: free,
        });
        builder.go_on(free);
        self.free_inside(&mut builder, class, FIRST);
        builder.emit(Operation::Free { object: FIRST });
        builder.goto(done);
        builder.go_on(done);
        builder.end(Terminator::Return(None));
        let function = builder.finish(&name, 1, None, Position::default());
        self.add_synthetic(function)
    }

    fn free_inside(&mut self, builder: &mut Builder, class: ClassId, object: Operand) {
        let fields = self.classes.definitions.class(class).fields.clone();
        for rule in self.classes.rules.of_fields(class).to_vec() {
            use heapwright_ir::Content;
            let Some(Sort::Ref(inside)) = fields.get(rule.field as usize).map(|field| field.sort)
            else {
                continue;
            };
            let is_part = self.classes.rules.parts.contains(&inside);
            let is_inside = match rule.content {
                Content::Array(_) => true,
                Content::Partner(_) => is_part,
                _ => false,
            };
            if !is_inside {
                continue;
            }
            let part = builder.value(Sort::Ref(inside), |to| Operation::Load {
                to,
                object,
                class,
                field: rule.field,
            });
            if is_part {
                self.free_inside(builder, inside, part);
            }
            builder.emit(Operation::Free { object: part });
        }
    }

    /// A function that copies a struct into another one; nothing where there are arrays in it.
    pub(super) fn copy_function(&mut self, class: ClassId) -> Option<FunctionId> {
        let name = format!("copy {}", self.class_name(class));
        if let Some(&known) = self.methods.get(&name) {
            return Some(known);
        }
        let mut builder = Builder::new();
        for name in ["to", "from"] {
            builder.register(Some(name), Sort::Ref(class));
        }
        let from = Operand::Register(Reg(1));
        self.copy_fields(&mut builder, class, FIRST, from)?;
        builder.end(Terminator::Return(None));
        let function = builder.finish(&name, 2, None, Position::default());
        Some(self.add_synthetic(function))
    }

    /// Copies what C knows of a struct, field by field.
    fn copy_fields(
        &mut self,
        builder: &mut Builder,
        class: ClassId,
        to: Operand,
        from: Operand,
    ) -> Option<()> {
        let fields = self.classes.definitions.class(class).fields.clone();
        let rules = self.classes.rules.of_fields(class).to_vec();
        for (field, declared) in (0u32..).zip(&fields) {
            let load = |builder: &mut Builder, object| {
                builder.value(declared.sort, |to| Operation::Load {
                    to,
                    object,
                    class,
                    field,
                })
            };
            let rule = rules.iter().find(|rule| rule.field == field);
            match (rule.map(|rule| rule.content), declared.sort) {
                (None, _) => {
                    let value = load(builder, from);
                    builder.emit(Operation::Store {
                        object: to,
                        class,
                        field,
                        value,
                    });
                }
                (Some(heapwright_ir::Content::Partner(_)), Sort::Ref(part))
                    if self.classes.rules.parts.contains(&part) =>
                {
                    let (inside_to, inside_from) = (load(builder, to), load(builder, from));
                    let inner = self.classes.definitions.class(part).superclass?;
                    self.copy_fields(builder, inner, inside_to, inside_from)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The method that gives the struct around a struct, in whose field it is.
    pub(super) fn container_method(
        &mut self,
        inner: ClassId,
        outer: ClassId,
        field: u32,
    ) -> Option<String> {
        let &part = self.classes.parts.get(&(outer, field))?;
        let method = format!("container {}", self.class_name(part));
        if self.classes.infos[inner.index()]
            .methods
            .contains_key(&method)
        {
            return Some(method);
        }
        let back = self.classes.definitions.class(part).fields.len() as u32 - 1;
        let mut builder = Builder::new();
        builder.register(Some("part"), Sort::Ref(part));
        let found = builder.value(Sort::Ref(outer), |to| Operation::Load {
            to,
            object: FIRST,
            class: part,
            field: back,
        });
        builder.end(Terminator::Return(Some(found)));
        let function = builder.finish(&method, 1, Some(Sort::Ref(outer)), Position::default());
        let inside = self.add_synthetic(function);
        // What is in no such struct: a pointer that may be formed, but not used.
        let wild = self.classes.wild(outer);
        let mut builder = Builder::new();
        builder.register(Some("part"), Sort::Ref(inner));
        let formed = builder.value(Sort::Ref(wild), |to| Operation::New { to, class: wild });
        let narrowed = builder.value(Sort::Ref(part), |to| Operation::Move { to, from: FIRST });
        builder.emit(Operation::Store {
            object: formed,
            class: outer,
            field,
            value: narrowed,
        });
        builder.end(Terminator::Return(Some(formed)));
        let name = format!("{method}, wild");
        let function = builder.finish(&name, 1, Some(Sort::Ref(outer)), Position::default());
        let outside = self.add_synthetic(function);
        let classes: Vec<ClassId> = (0..self.classes.infos.len() as u32).map(ClassId).collect();
        for class in classes {
            if self.classes.definitions.is_subclass(class, inner) {
                let function = if class == part { inside } else { outside };
                self.classes.infos[class.index()]
                    .methods
                    .insert(method.clone(), function);
            }
        }
        self.touch_methods(outer, wild);
        Some(method)
    }

    /// The method that is called before a struct is read or written which may be none.
    fn touch_methods(&mut self, class: ClassId, wild: ClassId) {
        if self.classes.infos[class.index()]
            .methods
            .contains_key(TOUCH)
        {
            return;
        }
        let mut builder = Builder::new();
        builder.register(Some("object"), Sort::Ref(class));
        builder.end(Terminator::Return(None));
        let name = format!("{TOUCH} {}", self.class_name(class));
        let function = builder.finish(&name, 1, None, Position::default());
        let fine = self.add_synthetic(function);
        let mut builder = Builder::new();
        builder.register(Some("object"), Sort::Ref(wild));
        builder.emit(Operation::Assert {
            condition: Operand::Constant(Constant::Bool(false)),
            message: format!("it is not inside of a struct {}", self.class_name(class)),
        });
        builder.end(Terminator::Return(None));
        let name = format!("{TOUCH} {}", self.class_name(wild));
        let function = builder.finish(&name, 1, None, Position::default());
        let wrong = self.add_synthetic(function);
        let classes: Vec<ClassId> = (0..self.classes.infos.len() as u32).map(ClassId).collect();
        for other in classes {
            if self.classes.definitions.is_subclass(other, class) {
                let function = if other == wild { wrong } else { fine };
                self.classes.infos[other.index()]
                    .methods
                    .insert(TOUCH.to_owned(), function);
            }
        }
    }

    /// Whether a struct has to be asked whether it is one.
    pub(super) fn may_be_wild(&self, class: ClassId) -> bool {
        self.classes.infos[class.index()]
            .methods
            .contains_key(TOUCH)
    }

    /// The parts of a struct that are structs of a class, with where they begin.
    pub(super) fn parts_of_class(&self, outer: ClassId, inner: ClassId) -> Vec<(u32, ClassId)> {
        let superclass = |part: ClassId| self.classes.definitions.class(part).superclass;
        let parts = self.parts(outer).into_iter();
        parts
            .filter(|&(_, part)| superclass(part) == Some(inner))
            .collect()
    }
}

/// The name of that method.
pub(super) const TOUCH: &str = "touch";
