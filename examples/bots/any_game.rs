// A bot for any game: it reads lines of JSON without a JSON library and plays a random answer.
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{stdin, stdout, BufRead, Write};

fn main() {
    let random = RandomState::new(); // seeded at random; Rust's library has no other random numbers
    for (turn, line) in stdin().lock().lines().enumerate() {
        let line = line.expect("input is text");
        let Some(rest) = line.strip_prefix("{\"answers\":[\"") else {
            continue; // the start of a match
        };
        let answers: Vec<&str> = rest.split("\"]").next().unwrap().split("\",\"").collect();
        println!("{}", answers[random.hash_one(turn) as usize % answers.len()]);
        stdout().flush().expect("output is open");
    }
}
