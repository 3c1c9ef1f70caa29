//! Modules of any size: each function makes one whose kernels have so many of something.

#![allow(dead_code, reason = "each test uses a part")]

use spirv::{
    AddressingModel, Capability, ExecutionModel, FunctionControl, MAGIC_NUMBER, MemoryModel, Op, StorageClass,
};

/// A module in the making, whose kernels take a pointer to words and a number.
///
/// They are named `k0`, `k1` and so on, and each adds what it computes to its own word.
pub(crate) struct Generator {
    entries: Vec<u32>,
    /// Types and constants.
    declarations: Vec<u32>,
    functions: Vec<u32>,
    next: u32,
    kernels: u32,
    constants: std::collections::HashMap<u32, u32>,
    pub(crate) void: u32,
    pub(crate) bool: u32,
    pub(crate) int: u32,
    pub(crate) variable_type: u32,
    kernel_type: u32,
    words_type: u32,
}

/// A kernel or a function whose body is being made.
pub(crate) struct Body {
    pub(crate) words: u32,
    pub(crate) number: u32,
}

fn push(to: &mut Vec<u32>, op: Op, operands: &[u32]) {
    to.push((operands.len() as u32 + 1) << 16 | op as u32);
    to.extend_from_slice(operands);
}

fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

impl Generator {
    pub(crate) fn new() -> Self {
        let mut new = Self {
            entries: Vec::new(),
            declarations: Vec::new(),
            functions: Vec::new(),
            next: 1,
            kernels: 0,
            constants: Default::default(),
            void: 0,
            bool: 0,
            int: 0,
            variable_type: 0,
            kernel_type: 0,
            words_type: 0,
        };
        new.void = new.declare(Op::TypeVoid, &[]);
        new.bool = new.declare(Op::TypeBool, &[]);
        new.int = new.declare(Op::TypeInt, &[32, 0]);
        new.variable_type = new.declare(Op::TypePointer, &[StorageClass::Function as u32, new.int]);
        new.words_type = new.declare(Op::TypePointer, &[StorageClass::CrossWorkgroup as u32, new.int]);
        new.kernel_type = new.declare(Op::TypeFunction, &[new.void, new.words_type, new.int]);
        new
    }

    pub(crate) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// A type.
    pub(crate) fn declare(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.declarations, op, &[&[id], operands].concat());
        id
    }

    /// A constant or variable of this type.
    pub(crate) fn declare_value(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.declarations, op, &[&[ty, id], operands].concat());
        id
    }

    pub(crate) fn constant(&mut self, value: u32) -> u32 {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let id = self.declare_value(Op::Constant, self.int, &[value]);
        self.constants.insert(value, id);
        id
    }

    /// An instruction without a result.
    pub(crate) fn effect(&mut self, op: Op, operands: &[u32]) {
        push(&mut self.functions, op, operands);
    }

    pub(crate) fn value(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.functions, op, &[&[ty, id], operands].concat());
        id
    }

    pub(crate) fn label(&mut self, id: u32) {
        self.effect(Op::Label, &[id]);
    }

    pub(crate) fn entry(&mut self, function: u32) {
        let name = text(&format!("k{}", self.kernels));
        self.kernels += 1;
        let operands = [&[ExecutionModel::Kernel as u32, function], &name[..]].concat();
        push(&mut self.entries, Op::EntryPoint, &operands);
    }

    pub(crate) fn begin_kernel(&mut self) -> Body {
        let function = self.id();
        self.entry(function);
        self.begin(function, self.void, self.kernel_type)
    }

    /// A function that takes and returns what `kernel` says, which starts with a pointer to words and a number.
    pub(crate) fn begin(&mut self, function: u32, result: u32, ty: u32) -> Body {
        let (words, number, label) = (self.id(), self.id(), self.id());
        self.effect(Op::Function, &[result, function, FunctionControl::NONE.bits(), ty]);
        self.effect(Op::FunctionParameter, &[self.words_type, words]);
        self.effect(Op::FunctionParameter, &[self.int, number]);
        self.label(label);
        Body { words, number }
    }

    /// The type of functions that are like kernels but return a number.
    pub(crate) fn helper_type(&mut self) -> u32 {
        self.declare(Op::TypeFunction, &[self.int, self.words_type, self.int])
    }

    /// Variables of a body, which come first in it.
    pub(crate) fn variables(&mut self, count: u32) -> Vec<u32> {
        let ty = self.variable_type;
        (0..count).map(|_| self.value(Op::Variable, ty, &[StorageClass::Function as u32])).collect()
    }

    pub(crate) fn load(&mut self, pointer: u32) -> u32 {
        self.value(Op::Load, self.int, &[pointer])
    }

    pub(crate) fn store(&mut self, pointer: u32, value: u32) {
        self.effect(Op::Store, &[pointer, value]);
    }

    pub(crate) fn add(&mut self, a: u32, b: u32) -> u32 {
        self.value(Op::IAdd, self.int, &[a, b])
    }

    pub(crate) fn less(&mut self, a: u32, b: u32) -> u32 {
        self.value(Op::ULessThan, self.bool, &[a, b])
    }

    /// Ends the kernel, which adds this value to its word.
    pub(crate) fn end_kernel(&mut self, body: &Body, value: u32) {
        let old = self.load(body.words);
        let sum = self.add(old, value);
        self.store(body.words, sum);
        self.effect(Op::Return, &[]);
        self.effect(Op::FunctionEnd, &[]);
    }

    pub(crate) fn end_helper(&mut self, value: u32) {
        self.effect(Op::ReturnValue, &[value]);
        self.effect(Op::FunctionEnd, &[]);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let mut words = vec![MAGIC_NUMBER, 0x0001_0200, 0, self.next, 0];
        for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64, Capability::Linkage]
        {
            push(&mut words, Op::Capability, &[capability as u32]);
        }
        let model = [AddressingModel::Physical64 as u32, MemoryModel::OpenCL as u32];
        push(&mut words, Op::MemoryModel, &model);
        words.extend([self.entries, self.declarations, self.functions].concat());
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// So many conditions in a row, each of which sets a variable of its own; the result is the sum of all variables.
///
/// For the number `n` that is `n * (n + 1) / 2`, if there are as many conditions.
pub(crate) fn conditions(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let numbers: Vec<u32> = (0..=count).map(|number| module.constant(number)).collect();
    let body = module.begin_kernel();
    let variables = module.variables(count);
    for &variable in &variables {
        module.store(variable, numbers[0]);
    }
    for (index, &variable) in variables.iter().enumerate() {
        let condition = module.less(numbers[index], body.number);
        let (then, next) = (module.id(), module.id());
        module.effect(Op::BranchConditional, &[condition, then, next]);
        module.label(then);
        module.store(variable, numbers[index + 1]);
        module.effect(Op::Branch, &[next]);
        module.label(next);
    }
    let mut sum = numbers[0];
    for &variable in &variables {
        let value = module.load(variable);
        sum = module.add(sum, value);
    }
    module.end_kernel(&body, sum);
    module.finish()
}

/// So many conditions in a row like those of [`conditions`], after each of which the kernel ends if it did not hold.
pub(crate) fn exits(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let numbers: Vec<u32> = (0..=count.max(1)).map(|number| module.constant(number)).collect();
    let body = module.begin_kernel();
    let total = module.variables(1)[0];
    let variables = module.variables(count);
    let end = module.id();
    module.store(total, numbers[0]);
    for (index, &variable) in variables.iter().enumerate() {
        module.store(variable, numbers[0]);
        let condition = module.less(numbers[index], body.number);
        let (then, join, next) = (module.id(), module.id(), module.id());
        module.effect(Op::BranchConditional, &[condition, then, join]);
        module.label(then);
        module.store(variable, numbers[index + 1]);
        module.effect(Op::Branch, &[join]);
        module.label(join);
        let (value, sum) = (module.load(variable), module.load(total));
        let sum = module.add(sum, value);
        module.store(total, sum);
        let ends = module.less(value, numbers[1]);
        module.effect(Op::BranchConditional, &[ends, end, next]);
        module.label(next);
    }
    module.effect(Op::Branch, &[end]);
    module.label(end);
    let sum = module.load(total);
    module.end_kernel(&body, sum);
    module.finish()
}

/// So many additions in a row, of which each needs the one before and the one a hundred before it.
pub(crate) fn additions(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let body = module.begin_kernel();
    let mut values = vec![body.number];
    for index in 1..=count as usize {
        let sum = module.add(values[index - 1], values[index.saturating_sub(100)]);
        values.push(sum);
    }
    module.end_kernel(&body, values[count as usize]);
    module.finish()
}

/// What [`additions`] computes of a number.
pub(crate) fn sum_of_additions(count: u32, number: u32) -> u32 {
    let mut values = vec![number];
    for index in 1..=count as usize {
        values.push(values[index - 1].wrapping_add(values[index.saturating_sub(100)]));
    }
    values[count as usize]
}

/// Conditions that are nested so deeply, each of which sets a variable of its own; the result is the sum of all.
pub(crate) fn nested_conditions(depth: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let numbers: Vec<u32> = (0..=depth).map(|number| module.constant(number)).collect();
    let body = module.begin_kernel();
    let variables = module.variables(depth);
    for &variable in &variables {
        module.store(variable, numbers[0]);
    }
    let joins: Vec<u32> = (0..depth).map(|_| module.id()).collect();
    for (index, &variable) in variables.iter().enumerate() {
        let condition = module.less(numbers[index], body.number);
        let then = module.id();
        module.effect(Op::BranchConditional, &[condition, then, joins[index]]);
        module.label(then);
        module.store(variable, numbers[index + 1]);
    }
    let total = variables[0];
    for (index, &join) in joins.iter().enumerate().rev() {
        module.effect(Op::Branch, &[join]);
        module.label(join);
        // What is inside has nothing to do with what is outside but for the sum.
        let value = module.load(variables[index]);
        let sum = module.load(total);
        let sum = if index == 0 { sum } else { module.add(sum, value) };
        module.store(total, sum);
    }
    let sum = module.load(total);
    module.end_kernel(&body, sum);
    module.finish()
}

/// Loops that are nested so deeply and run once, with the condition at the head or at the end; they count what they run.
pub(crate) fn nested_loops(depth: u32, condition_first: bool) -> Vec<u8> {
    let mut module = Generator::new();
    let (zero, one) = (module.constant(0), module.constant(1));
    let body = module.begin_kernel();
    let count = module.variables(1)[0];
    let counters = module.variables(depth);
    module.store(count, zero);
    let labels: Vec<[u32; 3]> = (0..depth).map(|_| [(); 3].map(|()| module.id())).collect();
    for (&[head, inside, after], &counter) in labels.iter().zip(&counters) {
        module.store(counter, zero);
        module.effect(Op::Branch, &[head]);
        module.label(head);
        if condition_first {
            let old = module.load(counter);
            let goes_on = module.less(old, one);
            module.effect(Op::BranchConditional, &[goes_on, inside, after]);
            module.label(inside);
        }
        let old = module.load(count);
        let new = module.add(old, one);
        module.store(count, new);
    }
    for (&[head, _, after], &counter) in labels.iter().zip(&counters).rev() {
        let old = module.load(counter);
        let new = module.add(old, one);
        module.store(counter, new);
        if condition_first {
            module.effect(Op::Branch, &[head]);
        } else {
            let goes_on = module.less(new, one);
            module.effect(Op::BranchConditional, &[goes_on, head, after]);
        }
        module.label(after);
    }
    let count = module.load(count);
    module.end_kernel(&body, count);
    module.finish()
}

/// A switch with so many cases, of which each sets one of four variables; the result is what was set.
pub(crate) fn cases(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let numbers: Vec<u32> = (0..=count).map(|number| module.constant(number)).collect();
    let body = module.begin_kernel();
    let variables = module.variables(4);
    for &variable in &variables {
        module.store(variable, numbers[0]);
    }
    let end = module.id();
    let labels: Vec<u32> = (0..count).map(|_| module.id()).collect();
    let mut operands = vec![body.number, end];
    labels.iter().enumerate().for_each(|(index, &label)| operands.extend([index as u32, label]));
    module.effect(Op::Switch, &operands);
    for (index, &label) in labels.iter().enumerate() {
        module.label(label);
        module.store(variables[index % 4], numbers[index + 1]);
        module.effect(Op::Branch, &[end]);
    }
    module.label(end);
    let mut sum = numbers[0];
    for &variable in &variables {
        let value = module.load(variable);
        sum = module.add(sum, value);
    }
    module.end_kernel(&body, sum);
    module.finish()
}

/// So many kernels over so many levels of functions, of which each calls the next one twice.
pub(crate) fn doubling(kernels: u32, levels: u32) -> Vec<u8> {
    calls(kernels, levels, 2)
}

fn calls(kernels: u32, levels: u32, times: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let (one, ty) = (module.constant(1), module.helper_type());
    let functions: Vec<u32> = (0..levels).map(|_| module.id()).collect();
    for (index, &function) in functions.iter().enumerate() {
        let int = module.int;
        let body = module.begin(function, int, ty);
        let result = match functions.get(index + 1) {
            Some(&next) => (0..times).fold(body.number, |argument, _| {
                module.value(Op::FunctionCall, int, &[next, body.words, argument])
            }),
            None => module.add(body.number, one),
        };
        module.end_helper(result);
    }
    for _ in 0..kernels {
        let body = module.begin_kernel();
        let int = module.int;
        let result = module.value(Op::FunctionCall, int, &[functions[0], body.words, body.number]);
        module.end_kernel(&body, result);
    }
    module.finish()
}

/// So many kernels, of which each adds so many numbers.
pub(crate) fn kernels(count: u32, additions: u32) -> Vec<u8> {
    let mut module = Generator::new();
    for _ in 0..count {
        let body = module.begin_kernel();
        let mut sum = body.number;
        for _ in 0..additions {
            sum = module.add(sum, body.number);
        }
        module.end_kernel(&body, sum);
    }
    module.finish()
}

/// So many entry points with an execution mode each, all of one function.
pub(crate) fn entry_points(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let function = module.id();
    for _ in 0..count {
        module.entry(function);
    }
    for _ in 0..count {
        push(&mut module.entries, Op::ExecutionMode, &[function, 17, 1, 1, 1]);
    }
    let (void, ty) = (module.void, module.kernel_type);
    let body = module.begin(function, void, ty);
    let number = body.number;
    module.end_kernel(&body, number);
    module.finish()
}

/// A group of so many decorations, which as many instructions give to as many results each.
pub(crate) fn decorations(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let group = module.id();
    for _ in 0..count {
        // Restrict, which means nothing here.
        push(&mut module.entries, Op::Decorate, &[group, 19]);
    }
    push(&mut module.entries, Op::DecorationGroup, &[group]);
    for _ in 0..count {
        let operands = vec![group; count.min(1000) as usize + 1];
        push(&mut module.entries, Op::GroupDecorate, &operands);
    }
    let body = module.begin_kernel();
    let number = body.number;
    module.end_kernel(&body, number);
    module.finish()
}

/// A variable of a struct whose members are structs of as many members, and so on so deeply, without any scalar.
pub(crate) fn empty_structs(members: u32, depth: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let mut ty = module.declare(Op::TypeStruct, &[]);
    for _ in 0..depth {
        ty = module.declare(Op::TypeStruct, &vec![ty; members as usize]);
    }
    let pointer = module.declare(Op::TypePointer, &[StorageClass::Function as u32, ty]);
    let body = module.begin_kernel();
    let variable = module.value(Op::Variable, pointer, &[StorageClass::Function as u32]);
    module.value(Op::Load, ty, &[variable]);
    let number = body.number;
    module.end_kernel(&body, number);
    module.finish()
}

/// An array of 4096 words of which so many copies are made, each with one word changed, or else of constants.
pub(crate) fn large_values(count: u32, of_constants: bool) -> Vec<u8> {
    let mut module = Generator::new();
    let length = module.constant(4096);
    let array = module.declare(Op::TypeArray, &[module.int, length]);
    let null = module.declare_value(Op::ConstantNull, array, &[]);
    let body = module.begin_kernel();
    let mut value = null;
    for index in 0..count {
        let from = if of_constants { null } else { value };
        value = module.value(Op::CompositeInsert, array, &[body.number, from, index % 4096]);
    }
    let word = module.value(Op::CompositeExtract, module.int, &[value, 0]);
    module.end_kernel(&body, word);
    module.finish()
}

/// A loop in which so many pairs of variables change places.
pub(crate) fn exchanges(pairs: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let (zero, one) = (module.constant(0), module.constant(1));
    let body = module.begin_kernel();
    let count = module.variables(1)[0];
    let variables = module.variables(2 * pairs);
    module.store(count, zero);
    for (index, &variable) in variables.iter().enumerate() {
        let value = if index % 2 == 0 { zero } else { one };
        module.store(variable, value);
    }
    let [head, inside, after] = [(); 3].map(|()| module.id());
    module.effect(Op::Branch, &[head]);
    module.label(head);
    let done = module.load(count);
    let goes_on = module.less(done, body.number);
    module.effect(Op::BranchConditional, &[goes_on, inside, after]);
    module.label(inside);
    for pair in variables.chunks_exact(2) {
        let (first, second) = (module.load(pair[0]), module.load(pair[1]));
        module.store(pair[0], second);
        module.store(pair[1], first);
    }
    let done = module.add(done, one);
    module.store(count, done);
    module.effect(Op::Branch, &[head]);
    module.label(after);
    let mut sum = zero;
    for pair in variables.chunks_exact(2) {
        let value = module.load(pair[0]);
        sum = module.add(sum, value);
    }
    module.end_kernel(&body, sum);
    module.finish()
}

/// A kernel over so many functions, of which each calls the next one.
pub(crate) fn chain(levels: u32) -> Vec<u8> {
    calls(1, levels, 1)
}

/// A kernel that calls a function so many times, one call after the other, which has an array of so many words in memory; each
/// call adds one to the number.
pub(crate) fn arrays(calls: u32, words: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let (one, length, ty) = (module.constant(1), module.constant(words), module.helper_type());
    let int = module.int;
    let array = module.declare(Op::TypeArray, &[int, length]);
    let array_pointer = module.declare(Op::TypePointer, &[StorageClass::Function as u32, array]);
    let pointer = module.variable_type;
    let function = module.id();
    let body = module.begin(function, int, ty);
    let variable = module.value(Op::Variable, array_pointer, &[StorageClass::Function as u32]);
    let index = module.value(Op::UMod, int, &[body.number, length]);
    let element = module.value(Op::AccessChain, pointer, &[variable, index]);
    let sum = module.add(body.number, one);
    module.store(element, sum);
    let sum = module.load(element);
    module.end_helper(sum);
    let body = module.begin_kernel();
    let mut number = body.number;
    for _ in 0..calls {
        number = module.value(Op::FunctionCall, int, &[function, body.words, number]);
    }
    module.end_kernel(&body, number);
    module.finish()
}

/// A kernel, and another one whose only addition is one of floats.
pub(crate) fn second_is_wrong() -> Vec<u8> {
    let mut module = Generator::new();
    for op in [Op::IAdd, Op::FAdd] {
        let body = module.begin_kernel();
        let sum = module.value(op, module.int, &[body.number, body.number]);
        module.end_kernel(&body, sum);
    }
    module.finish()
}

/// A kernel that loads and stores a whole array of so many words, from one variable of the module to another one, and takes the element of the copy that the
/// number says: its square.
pub(crate) fn copied_array(count: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let int = module.int;
    let length = module.constant(count);
    let squares: Vec<u32> = (0..count).map(|index| module.constant(index.wrapping_mul(index))).collect();
    let array = module.declare(Op::TypeArray, &[int, length]);
    let class = StorageClass::CrossWorkgroup as u32;
    let to_array = module.declare(Op::TypePointer, &[class, array]);
    let to_int = module.declare(Op::TypePointer, &[class, int]);
    let initial = module.declare_value(Op::ConstantComposite, array, &squares);
    let from = module.declare_value(Op::Variable, to_array, &[class, initial]);
    let to = module.declare_value(Op::Variable, to_array, &[class]);
    let body = module.begin_kernel();
    let whole = module.value(Op::Load, array, &[from]);
    module.store(to, whole);
    let place = module.value(Op::InBoundsAccessChain, to_int, &[to, body.number]);
    let element = module.load(place);
    module.end_kernel(&body, element);
    module.finish()
}

/// A kernel with a value of structs that are nested so deeply, each with a number of its own beside the next one, and the number of the kernel in the
/// innermost; it adds that to the depth that the outermost says.
pub(crate) fn nested_structs(depth: u32) -> Vec<u8> {
    let mut module = Generator::new();
    let int = module.int;
    let levels: Vec<u32> = (0..=depth).map(|level| module.constant(level)).collect();
    let mut types = vec![module.declare(Op::TypeStruct, &[int])];
    for level in 0..depth as usize {
        types.push(module.declare(Op::TypeStruct, &[types[level], int]));
    }
    let body = module.begin_kernel();
    let mut value = module.value(Op::CompositeConstruct, types[0], &[body.number]);
    for level in 0..depth as usize {
        value = module.value(Op::CompositeConstruct, types[level + 1], &[value, levels[level + 1]]);
    }
    let path = vec![0; depth as usize + 1];
    let innermost = module.value(Op::CompositeExtract, int, &[&[value], &path[..]].concat());
    let outermost = module.value(Op::CompositeExtract, int, &[value, 1.min(depth)]);
    let sum = module.add(innermost, outermost);
    module.end_kernel(&body, sum);
    module.finish()
}
