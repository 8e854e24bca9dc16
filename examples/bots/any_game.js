// A bot for any game: it reads lines of JSON and plays a random answer.
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { answers } = JSON.parse(line);
  if (!answers) return; // the start of a match
  console.log(answers[Math.floor(Math.random() * answers.length)]);
});
