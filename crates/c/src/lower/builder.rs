//! A function under construction.

use heapwright_ir::{
    BlockDraft, BlockId, Constant, Function, Instruction, Operand, Operation, Position, Reg,
    Register, Terminator, reachable_blocks,
};
use heapwright_logic::{IntType, Sort};

/// A function that is being written.
pub(super) struct Builder {
    pub registers: Vec<Register>,
    blocks: Vec<BlockDraft>,
    current: BlockId,
    /// Where what is written comes from.
    pub position: Position,
}

impl Builder {
    pub fn new() -> Builder {
        let mut builder = Builder {
            registers: Vec::new(),
            blocks: Vec::new(),
            current: BlockId(0),
            position: Position::default(),
        };
        builder.current = builder.block();
        builder
    }

    pub fn register(&mut self, name: Option<&str>, sort: Sort) -> Reg {
        let register = Reg(self.registers.len() as u32);
        self.registers.push(Register {
            name: name.map(str::to_owned),
            sort,
        });
        register
    }

    /// A new block, which is not gone on with yet.
    pub fn block(&mut self) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockDraft::default());
        id
    }

    /// Goes on with a block.
    pub fn go_on(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn emit(&mut self, operation: Operation) {
        let position = self.position;
        let block = &mut self.blocks[self.current.index()];
        block.instructions.push(Instruction {
            operation,
            position,
        });
    }

    /// Writes an operation that gives a value.
    pub fn value(&mut self, sort: Sort, operation: impl FnOnce(Reg) -> Operation) -> Operand {
        let to = self.register(None, sort);
        self.emit(operation(to));
        Operand::Register(to)
    }

    /// Ends the current block. What comes behind is reached only if somebody goes on with the new
    /// one.
    pub fn end(&mut self, terminator: Terminator) {
        let position = self.position;
        self.blocks[self.current.index()].end = Some((terminator, position));
        self.current = self.block();
    }

    pub fn goto(&mut self, block: BlockId) {
        self.end(Terminator::Goto(block));
    }

    pub fn finish(
        self,
        name: &str,
        params: u32,
        result: Option<Sort>,
        position: Position,
    ) -> Function {
        Function {
            name: name.to_owned(),
            params,
            registers: self.registers,
            result,
            blocks: reachable_blocks(self.blocks),
            position,
            synthetic: false,
        }
    }
}

pub(super) fn int(ty: IntType, value: i128) -> Operand {
    Operand::Constant(Constant::Int(ty, ty.wrap(value)))
}
