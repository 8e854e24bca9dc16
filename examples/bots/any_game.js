// A bot for any game: lines of JSON in, words out. It plays any of the answers.
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { answers } = JSON.parse(line);
  if (!answers) return; // the start of a match
  console.log(answers[Math.floor(Math.random() * answers.length)]);
});
