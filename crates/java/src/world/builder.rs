//! A small builder for functions that no bytecode stands behind: guards, literals, copies.

use heapwright_ir::{
    Block, BlockId, Function, Handler, Instruction, Operand, Operation, Position, Reg, Register,
    Terminator,
};
use heapwright_logic::Sort;

/// A synthetic function under construction. Blocks are numbered as they are ended.
pub(super) struct Builder {
    function: Function,
    instructions: Vec<Instruction>,
}

impl Builder {
    /// A function with parameters of these sorts.
    pub(super) fn new(name: String, params: &[Sort], result: Option<Sort>) -> Self {
        let register = |sort: &Sort| Register {
            name: None,
            sort: *sort,
        };
        Builder {
            function: Function {
                name,
                params: params.len() as u32,
                registers: params.iter().map(register).collect(),
                result,
                blocks: Vec::new(),
                position: Position::default(),
                synthetic: true,
            },
            instructions: Vec::new(),
        }
    }

    /// A new register.
    pub(super) fn register(&mut self, sort: Sort) -> Reg {
        let register = Reg(self.function.registers.len() as u32);
        self.function.registers.push(Register { name: None, sort });
        register
    }

    /// Gives a register a name.
    pub(super) fn name(&mut self, register: Reg, name: Option<String>) {
        if let Some(register) = self.function.registers.get_mut(register.index()) {
            register.name = name;
        }
    }

    /// A parameter as an operand.
    pub(super) fn param(&self, index: u32) -> Operand {
        Operand::Register(Reg(index))
    }

    /// Adds an operation to the current block.
    pub(super) fn emit(&mut self, operation: Operation) {
        self.instructions.push(Instruction {
            operation,
            position: Position::default(),
        });
    }

    /// The number of the current block.
    pub(super) fn next_block(&self) -> BlockId {
        BlockId(self.function.blocks.len() as u32)
    }

    /// Ends the current block and gives its number.
    pub(super) fn end(&mut self, terminator: Terminator) -> BlockId {
        self.end_with_handlers(terminator, Vec::new())
    }

    /// Ends the current block, whose exceptions are caught.
    pub(super) fn end_with_handlers(
        &mut self,
        terminator: Terminator,
        handlers: Vec<Handler>,
    ) -> BlockId {
        let id = BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(Block {
            instructions: std::mem::take(&mut self.instructions),
            terminator,
            position: Position::default(),
            handlers,
        });
        id
    }

    /// The function; all blocks have been ended.
    pub(super) fn finish(self) -> Function {
        self.function
    }
}
