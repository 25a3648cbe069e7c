//! The names of a WebAssembly runtime that the circuit part of `legogroth16` compiles against, and nothing behind them:
//! no module can be loaded, so none of the rest is ever reached. Proofs of this addon have no circuits.

use std::fmt;

/// The only thing that ever happens here: a module is refused.
#[derive(Clone, Copy, Debug)]
pub struct NoRuntime;

impl fmt::Display for NoRuntime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("there is no WebAssembly runtime in this program")
    }
}

#[derive(Debug, Default)]
pub struct Store;

/// Has no value.
#[derive(Clone, Debug)]
pub enum Module {}

impl Module {
    pub fn new(_store: &Store, _bytes: impl AsRef<[u8]>) -> Result<Self, NoRuntime> {
        Err(NoRuntime)
    }

    pub fn from_file(_store: &Store, _path: impl AsRef<std::path::Path>) -> Result<Self, NoRuntime> {
        Err(NoRuntime)
    }
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub exports: Exports,
}

impl Instance {
    pub fn new(_store: &mut Store, module: &Module, _imports: &Imports) -> Result<Self, NoRuntime> {
        match *module {}
    }
}

/// Has no value.
#[derive(Clone, Debug)]
pub enum Exports {}

impl Exports {
    pub fn get_function(&self, _name: &str) -> Result<&Function, NoRuntime> {
        match *self {}
    }
}

#[derive(Clone, Debug)]
pub struct Function;

impl Function {
    pub fn new_typed<Body>(_store: &mut Store, _body: Body) -> Self {
        Function
    }

    pub fn call(&self, _store: &mut Store, _arguments: &[Value]) -> Result<Box<[Value]>, NoRuntime> {
        Err(NoRuntime)
    }
}

#[derive(Clone, Debug)]
pub enum Value {
    I32(i32),
}

impl Value {
    pub fn i32(&self) -> Option<i32> {
        let Value::I32(number) = *self;
        Some(number)
    }

    pub fn unwrap_i32(&self) -> i32 {
        let Value::I32(number) = *self;
        number
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::I32(number as i32)
    }
}

#[derive(Debug)]
pub struct Imports;

#[macro_export]
macro_rules! imports {
    ($($module:expr => { $($name:expr => $function:expr),* $(,)? }),* $(,)?) => {{
        $($(let _ = $function;)*)*
        $crate::Imports
    }};
}
