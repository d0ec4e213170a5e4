//! A function under construction.

use heapwright_ir::{
    BlockDraft, BlockId, Function, Instruction, Operand, Operation, Reg, Register, Terminator,
    reachable_blocks,
};
use heapwright_logic::Sort;
use heapwright_spec::diagnostic::Span;

use super::Lowering;
use crate::check::hir::{Body, LocalId};

pub(super) struct Builder<'a> {
    pub lowering: Lowering<'a>,
    registers: Vec<Register>,
    /// The register of each variable.
    variables: Vec<Reg>,
    blocks: Vec<BlockDraft>,
    current: BlockId,
}

impl<'a> Builder<'a> {
    /// Begins a function whose parameters are the given variables.
    pub fn new(lowering: Lowering<'a>, body: &Body, params: &[LocalId]) -> Self {
        let mut order: Vec<usize> = params.iter().map(|local| local.index()).collect();
        order.extend((0..body.locals.len()).filter(|&index| {
            let id = LocalId(index as u32);
            !params.contains(&id)
        }));
        let mut variables = vec![Reg(0); body.locals.len()];
        let mut registers = Vec::new();
        for index in order {
            variables[index] = Reg(registers.len() as u32);
            let local = &body.locals[index];
            registers.push(Register {
                name: Some(local.name.clone()),
                sort: lowering.checked.kinds.sort(local.kind),
            });
        }
        let mut builder = Builder {
            lowering,
            registers,
            variables,
            blocks: Vec::new(),
            current: BlockId(0),
        };
        builder.current = builder.new_block();
        builder
    }

    pub fn variable(&self, local: LocalId) -> Reg {
        self.variables[local.index()]
    }

    pub fn temporary(&mut self, sort: Sort) -> Reg {
        let register = Reg(self.registers.len() as u32);
        self.registers.push(Register { name: None, sort });
        register
    }

    pub fn new_block(&mut self) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockDraft::default());
        id
    }

    /// Goes on with a block.
    pub fn continue_in(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn emit(&mut self, operation: Operation, span: Span) {
        let position = self.lowering.position(span);
        let block = &mut self.blocks[self.current.index()];
        block.instructions.push(Instruction {
            operation,
            position,
        });
    }

    /// Emits an operation that gives a value.
    pub fn emit_value(
        &mut self,
        sort: Sort,
        span: Span,
        operation: impl FnOnce(Reg) -> Operation,
    ) -> Operand {
        let to = self.temporary(sort);
        self.emit(operation(to), span);
        Operand::Register(to)
    }

    /// Ends the current block. What comes behind goes to a block that nothing reaches, unless
    /// the caller chooses another one.
    pub fn end(&mut self, terminator: Terminator, span: Span) {
        let position = self.lowering.position(span);
        self.blocks[self.current.index()].end = Some((terminator, position));
        self.current = self.new_block();
    }

    /// The finished function, without the blocks that nothing reaches.
    pub fn finish(mut self, body: &Body, params: usize) -> (Function, Vec<Reg>) {
        let last = if body.result.is_some() {
            // The checker has made sure that execution does not come here.
            Terminator::Unreachable
        } else {
            Terminator::Return(None)
        };
        self.end(last, body.end);
        let function = Function {
            name: body.name.clone(),
            params: params as u32,
            registers: self.registers,
            result: body.result,
            blocks: reachable_blocks(self.blocks),
            position: self.lowering.position(body.span),
            synthetic: false,
        };
        (function, self.variables)
    }
}
