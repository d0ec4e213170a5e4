//! Draws a gallery of heaps into a folder: `cargo run --example gallery -- FOLDER`.

#[allow(dead_code)]
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use heapwright_report::{dot, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: gallery FOLDER")?);
    fs::create_dir_all(&folder)?;
    for (index, example) in scenes::all().iter().enumerate() {
        let scene = example.scene();
        fs::write(folder.join(format!("{index:02}.svg")), svg(&scene))?;
        fs::write(folder.join(format!("{index:02}.dot")), dot(&scene))?;
        println!("{index:02} {}", example.name);
    }
    Ok(())
}
