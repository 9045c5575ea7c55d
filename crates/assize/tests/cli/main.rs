//! The binary as people use it: real files, a real store, a real server on loopback.

mod bad_input;
mod bench;
mod calls;
mod compare;
mod embeddings;
mod facts;
mod faults;
mod guard;
mod live;
mod look;
mod meaning;
mod page_rubrics;
mod page_settings;
mod paths;
mod repeats;
mod report;
mod resume;
mod rubric_figures;
mod rubrics;
mod run;
mod served;
