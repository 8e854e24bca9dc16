/** @type {import("../translate.js").Catalogue} */
export default {
  "series.title": { one: "Running score after 1 game", other: "Running score after {count} games" },
  "series.player": "Player",
  "series.game": "Game {number}",
  "series.place": "{score}, place {place}",
  "series.absent": "did not play",
  "series.total.nimmt": "Heads",
  "series.total": "Points",
  "series.wins": "Wins",

  "series.asks": "{name} wants to play again.",
  "series.open": "A rematch is open.",
  "series.join": "Join",
  "series.watch": "Watch",
  "series.follow": { one: "The new table opens in {count} second.", other: "The new table opens in {count} seconds." },
  "series.stay": "Stay here",

  "series.held": "seat saved",
  "series.take": "Take your seat",
  "series.waiting": "Waiting for {names}. The game starts when everyone is here.",
  "series.start_without": "Start without {names}",
  "series.starts": "The game starts in 3 seconds.",
  "series.ready": "Everyone is here",
};
