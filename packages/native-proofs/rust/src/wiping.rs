//! Memory is wiped before it is given back: scalars of hidden messages, blindings and keys pass through many structures of
//! the libraries below, and not all of them think of it. What is on the stack is wiped where it is made.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

pub struct Wiping;

// SAFETY: every request is passed on unchanged; what is wiped is the caller's own block, which nobody uses any more. Growing
// and shrinking are left to the trait's own way, which is a new block, a copy and a wiped old one.
unsafe impl GlobalAlloc for Wiping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        block.write_bytes(0, layout.size());
        // Otherwise the compiler sees that nobody reads what was written.
        System.dealloc(black_box(block), layout);
    }
}
