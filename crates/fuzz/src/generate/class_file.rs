//! Class files made from scratch: a class with fields, and static methods whose code fits the types
//! of the stack but for a slip now and then.

use crate::random::Random;

/// The types of values on the stack: `I`, `J`, `F`, `D` and `A` for references.
type Kind = u8;

/// An instruction without operands: its opcode, what it takes (last one on top), what it leaves.
const SIMPLE: [(u8, &[u8], &[u8]); 50] = [
    (0x01, b"", b"A"),
    (0x02, b"", b"I"),
    (0x03, b"", b"I"),
    (0x08, b"", b"I"),
    (0x09, b"", b"J"),
    (0x0a, b"", b"J"),
    (0x0c, b"", b"F"),
    (0x0f, b"", b"D"),
    (0x1a, b"", b"I"),
    (0x57, b"I", b""),
    (0x57, b"A", b""),
    (0x58, b"J", b""),
    (0x59, b"I", b"II"),
    (0x59, b"A", b"AA"),
    (0x5f, b"II", b"II"),
    (0x60, b"II", b"I"),
    (0x64, b"II", b"I"),
    (0x68, b"II", b"I"),
    (0x6c, b"II", b"I"),
    (0x70, b"II", b"I"),
    (0x74, b"I", b"I"),
    (0x78, b"II", b"I"),
    (0x7e, b"II", b"I"),
    (0x82, b"II", b"I"),
    (0x61, b"JJ", b"J"),
    (0x69, b"JJ", b"J"),
    (0x6d, b"JJ", b"J"),
    (0x79, b"JI", b"J"),
    (0x94, b"JJ", b"I"),
    (0x62, b"FF", b"F"),
    (0x6e, b"FF", b"F"),
    (0x95, b"FF", b"I"),
    (0x63, b"DD", b"D"),
    (0x73, b"DD", b"D"),
    (0x97, b"DD", b"I"),
    (0x85, b"I", b"J"),
    (0x86, b"I", b"F"),
    (0x87, b"I", b"D"),
    (0x88, b"J", b"I"),
    (0x8b, b"F", b"I"),
    (0x8e, b"D", b"I"),
    (0x91, b"I", b"I"),
    (0x92, b"I", b"I"),
    (0x5c, b"II", b"IIII"),
    (0x5a, b"II", b"III"),
    (0x2a, b"", b"A"),
    (0x4b, b"A", b""),
    (0x3b, b"I", b""),
    (0xbe, b"A", b"I"),
    (0x00, b"", b""),
];

/// Jumps, with what they take.
const JUMPS: [(u8, &[u8]); 10] = [
    (0x99, b"I"),
    (0x9a, b"I"),
    (0x9c, b"I"),
    (0x9f, b"II"),
    (0xa1, b"II"),
    (0xa5, b"AA"),
    (0xc6, b"A"),
    (0xc7, b"A"),
    (0xa7, b""),
    (0xc6, b"A"),
];

/// One instruction in this many is chosen without a look at the stack.
const SLIP: usize = 60;

/// The constant pool: what is used by the code has a fixed place, which makes code easy to write.
struct Pool {
    count: u16,
    bytes: Vec<u8>,
}

impl Pool {
    fn text(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        self.bytes.extend((text.len() as u16).to_be_bytes());
        self.bytes.extend(text.as_bytes());
        self.added(1)
    }

    fn entry(&mut self, tag: u8, numbers: &[u16]) -> u16 {
        self.bytes.push(tag);
        let numbers = numbers.iter().flat_map(|number| number.to_be_bytes());
        self.bytes.extend(numbers);
        self.added(1)
    }

    fn added(&mut self, entries: u16) -> u16 {
        self.count += entries;
        self.count - entries
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.entry(7, &[name])
    }

    fn member(&mut self, tag: u8, class: u16, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let name_and_type = self.entry(12, &[name, descriptor]);
        self.entry(tag, &[class, name_and_type])
    }
}

/// What code refers to.
struct Known {
    own: u16,
    object: u16,
    next: u16,
    number: u16,
    shared: u16,
    methods: Vec<(u16, &'static [u8], &'static [u8])>,
    constants: Vec<(u16, Kind)>,
}

/// The methods of the class.
const METHODS: [(&str, &str, &[u8], &[u8]); 4] = [
    ("f", "(I)I", b"I", b"I"),
    ("g", "(LFuzz;)LFuzz;", b"A", b"A"),
    ("h", "(II)J", b"II", b"J"),
    ("k", "()V", b"", b""),
];

/// A class file.
pub fn generate(random: &mut Random) -> Vec<u8> {
    let mut pool = Pool {
        count: 1,
        bytes: Vec::new(),
    };
    let own = pool.class("Fuzz");
    let object = pool.class("java/lang/Object");
    let constants = (0..4)
        .map(|kind| match kind {
            0 => {
                let number = random.number() as u32;
                let halves = [(number >> 16) as u16, number as u16];
                (pool.entry(3, &halves), b'I')
            }
            1 => {
                let text = pool.text("text");
                (pool.entry(8, &[text]), b'A')
            }
            2 => (pool.entry(4, &[random.number() as u16, 0]), b'F'),
            _ => (own, b'A'),
        })
        .collect();
    let known = Known {
        own,
        object,
        next: pool.member(9, own, "next", "LFuzz;"),
        number: pool.member(9, own, "number", "I"),
        shared: pool.member(9, own, "shared", "LFuzz;"),
        methods: (METHODS.iter())
            .map(|(name, descriptor, takes, leaves)| {
                let method = pool.member(10, own, name, descriptor);
                (method, *takes, *leaves)
            })
            .collect(),
        constants,
    };
    let code = pool.text("Code");
    let mut rest = Vec::new();
    let numbers = |rest: &mut Vec<u8>, numbers: &[u16]| {
        rest.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    };
    numbers(&mut rest, &[0x21, own, object, 0, 3]);
    for (access, name, descriptor) in [
        (1, "next", "LFuzz;"),
        (1, "number", "I"),
        (9, "shared", "LFuzz;"),
    ] {
        let (name, descriptor) = (pool.text(name), pool.text(descriptor));
        numbers(&mut rest, &[access, name, descriptor, 0]);
    }
    numbers(&mut rest, &[METHODS.len() as u16]);
    for (name, descriptor, takes, leaves) in METHODS {
        let (name, descriptor) = (pool.text(name), pool.text(descriptor));
        numbers(&mut rest, &[9, name, descriptor, 1, code]);
        let body = body(&known, takes, leaves, random);
        rest.extend((body.len() as u32 + 12).to_be_bytes());
        numbers(&mut rest, &[40, 6]);
        rest.extend((body.len() as u32).to_be_bytes());
        rest.extend(body);
        numbers(&mut rest, &[0, 0]);
    }
    numbers(&mut rest, &[0]);
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
    bytes.extend(pool.count.to_be_bytes());
    bytes.extend(pool.bytes);
    bytes.extend(rest);
    bytes
}

/// Code for a method with these parameters and this result.
fn body(known: &Known, takes: &[Kind], leaves: &[Kind], random: &mut Random) -> Vec<u8> {
    let mut code = Vec::new();
    let mut stack: Vec<Kind> = Vec::new();
    // Places with an empty stack, where jumps may lead.
    let mut targets = vec![0];
    let mut jumps = Vec::new();
    for _ in 0..random.below(40) {
        if stack.is_empty() {
            targets.push(code.len());
        }
        match random.below(10) {
            0 => {
                let (opcode, taken) = JUMPS[random.below(JUMPS.len())];
                if stack == taken {
                    stack.clear();
                    jumps.push(code.len());
                    code.extend([opcode, 0, 0]);
                }
            }
            1 => reference(known, &mut code, &mut stack, random),
            2 => {
                let (constant, kind) = known.constants[random.below(known.constants.len())];
                code.extend([0x12, constant as u8]);
                stack.push(kind);
            }
            // The first parameter is a number or a reference.
            3 if takes.first() == Some(&b'A') => {
                code.push(0x2a);
                stack.push(b'A');
            }
            _ => {
                let (opcode, taken, left) = SIMPLE[random.below(SIMPLE.len())];
                let fits = stack.ends_with(taken) && stack.len() < 30;
                if fits || random.one_in(SLIP) {
                    stack.truncate(stack.len().saturating_sub(taken.len()));
                    stack.extend(left);
                    code.push(opcode);
                }
            }
        }
    }
    end(&mut code, leaves);
    for at in jumps {
        let target = targets[random.below(targets.len())] as i64;
        code[at + 1..at + 3].copy_from_slice(&((target - at as i64) as i16).to_be_bytes());
    }
    code
}

/// An instruction that names a class, a field or a method.
fn reference(known: &Known, code: &mut Vec<u8>, stack: &mut Vec<Kind>, random: &mut Random) {
    let (method, takes, leaves) = known.methods[random.below(known.methods.len())];
    let class = if random.one_in(4) {
        known.object
    } else {
        known.own
    };
    let choices: [(u8, u16, &[u8], &[u8]); 10] = [
        (0xbb, class, b"", b"A"),
        (0xb4, known.next, b"A", b"A"),
        (0xb5, known.next, b"AA", b""),
        (0xb4, known.number, b"A", b"I"),
        (0xb5, known.number, b"AI", b""),
        (0xb2, known.shared, b"", b"A"),
        (0xb3, known.shared, b"A", b""),
        (0xb8, method, takes, leaves),
        (0xc0, class, b"A", b"A"),
        (0xbd, class, b"I", b"A"),
    ];
    let (opcode, index, takes, leaves) = choices[random.below(choices.len())];
    if stack.ends_with(takes) || random.one_in(SLIP) {
        stack.truncate(stack.len().saturating_sub(takes.len()));
        stack.extend(leaves);
        code.push(opcode);
        code.extend(index.to_be_bytes());
    }
}

/// Returns a value of the right type, whatever else is on the stack.
fn end(code: &mut Vec<u8>, leaves: &[Kind]) {
    match leaves {
        b"I" => code.extend([0x03, 0xac]),
        b"J" => code.extend([0x09, 0xad]),
        b"A" => code.extend([0x01, 0xb0]),
        _ => code.push(0xb1),
    }
}
