//! A bounded number of values by the hash of what they were decoded from; the one that was not used for longest makes room.

use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::rc::Rc;

type Name = [u8; 32];

pub struct Kept<Value> {
    most: usize,
    uses: u64,
    values: HashMap<Name, (u64, Rc<Value>)>,
}

impl<Value> Kept<Value> {
    pub fn new(most: usize) -> Self {
        Kept { most, uses: 0, values: HashMap::new() }
    }

    /// The value of these bytes, made now unless it is here. What cannot be made is not remembered.
    pub fn get(&mut self, bytes: &[u8], make: impl FnOnce(&[u8]) -> Option<Value>) -> Option<Rc<Value>> {
        let name: Name = Sha256::digest(bytes).into();
        self.uses += 1;
        if let Some((used, value)) = self.values.get_mut(&name) {
            *used = self.uses;
            return Some(value.clone());
        }
        let value = Rc::new(make(bytes)?);
        if self.values.len() >= self.most {
            self.drop_oldest();
        }
        self.values.insert(name, (self.uses, value.clone()));
        Some(value)
    }

    fn drop_oldest(&mut self) {
        let oldest = self.values.iter().min_by_key(|(_, (used, _))| *used);
        if let Some(name) = oldest.map(|(name, _)| *name) {
            self.values.remove(&name);
        }
    }
}
