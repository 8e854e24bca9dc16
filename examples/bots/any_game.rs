// A bot for any game: lines of JSON in, words out, and no JSON library. It plays any of the answers.
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{stdin, stdout, BufRead, Write};

fn main() {
    let random = RandomState::new(); // keyed anew each time, and all the randomness that Rust comes with
    for (turn, line) in stdin().lock().lines().enumerate() {
        let line = line.expect("input is text");
        let Some(rest) = line.strip_prefix("{\"answers\":[\"") else {
            continue; // the start of a match
        };
        let answers: Vec<&str> = rest.split("\"]").next().unwrap().split("\",\"").collect();
        println!("{}", answers[random.hash_one(turn) as usize % answers.len()]);
        stdout().flush().expect("somebody reads");
    }
}
