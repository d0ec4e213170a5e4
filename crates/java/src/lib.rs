//! The front end for Java: classes are loaded from class files, without a Java virtual machine.
//!
//! - [`classfile`] reads one class file into a plain model with all references resolved;
//! - [`descriptor`] has Java's types and names;
//! - [`classpath`] finds class files in directories, jars and the JDK's own image;
//! - [`hierarchy`] answers what depends on several classes: superclasses, layout, which method a
//!   call means;
//! - [`contracts`] reads what specifications say about methods;
//! - [`target`] turns what a user names (`pkg.Class#method`) into methods;
//! - [`world`] collects classes and functions in a program of the core language, as they are
//!   needed;
//! - [`translate`] turns the body of one method into a function;
//! - [`verify`] compiles and runs tests on a real Java virtual machine, and measures coverage;
//! - [`emit`] writes JUnit tests;
//! - [`display`] has strings and boxed primitives as text.

pub mod classfile;
pub mod classpath;
pub mod contracts;
pub mod descriptor;
pub mod display;
pub mod emit;
pub mod hierarchy;
pub mod stored;
pub mod target;
pub mod translate;
pub mod verify;
pub mod world;
