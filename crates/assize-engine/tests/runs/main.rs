//! Runs through the engine, as the page drives them: real files, a real store, a real model server on loopback.

mod bench;
mod confined;
mod control;
mod given;
mod strict;
