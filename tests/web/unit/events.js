import { describeCaption, describeEvent } from "../i18n/events.js";
import { LANGUAGES, loadNamespaces, setLanguage } from "../i18n/translate.js";
import { equal } from "./assert.js";

const NAMES = ["Guest 9328", "Mia", "Bo"];
const text = "";
const hand = { points: 8, triple: [1, 3, 6], rest: [2, 6] };
/** @type {[string, any][]} */
const ABOUT_SEATS = [
  ["nimmt", { event: "took", card: 3, row: 1, cards: [55], chosen: true }],
  ["nimmt", { event: "placed", card: 3, row: 1 }],
  ["nimmt", { event: "dealt", hand: [3, 55] }],
  ["nimmt", { event: "set_aside", card: 3 }],
  ["niuniu", { event: "chose" }],
  ["niuniu", { event: "threw", dice: [1, 3, 6, 2, 6], hand }],
  ["niuniu", { event: "throw_won", name: "Niu 8" }],
  ["war", { event: "collected", count: 4 }],
  ["war", { event: "won", by: "cap", rounds: 5000 }],
  ...["player_returned", "connection_lost", "chose", "host_changed", "player_removed", "seat_taken", "seat_excluded", "autoplay_chose", "time_up", "choice_withdrawn", "player_left", "pledge_made", "contribution_revealed", "rematch_created"].map(
    (event) => /** @type {[string, any]} */ (["nimmt", { event }]),
  ),
  ["nimmt", { event: "pace_changed", times: 2 }],
  ["nimmt", { event: "bot_vote", idle: 1 }],
  ["nimmt", { event: "reaction", reaction: "moo" }],
  ["nimmt", { event: "reaction", reaction: "moo", to: 1 }],
  ["nimmt", { event: "reaction", reaction: "ouch", card: 55 }],
];
/** @type {[string, any][]} */
const ABOUT_LISTS = [
  ["nimmt", { event: "out" }],
  ["nimmt", { event: "won" }],
  ["niuniu", { event: "match_won", won: 3, drawn: 1 }],
];

/** @param {string} language */
async function speak(language) {
  await setLanguage(language);
  await loadNamespaces("nimmt", "niuniu", "war");
}

export const tests = {
  "a sentence never calls its reader by name": async () => {
    for (const language of Object.keys(LANGUAGES)) {
      await speak(language);
      const sentences = [
        ...ABOUT_SEATS.map(([game, event]) => [game, { ...event, seat: 0, text }]),
        ...ABOUT_LISTS.flatMap(([game, event]) => [[0], [0, 1], [2, 0, 1]].map((seats) => [game, { ...event, seats, text }])),
        ["niuniu", { event: "throw_drawn", seats: [0, 2], name: "Niu 8", text }],
        ["war", { event: "turned", cards: [4, 9], added: [2, 0], text }],
        ["war", { event: "reaction", seat: 1, reaction: "no_way", to: 0, text }],
        ["war", { event: "dealt", each: 26, redeal: 1, text }],
      ].map(([game, event]) => [describeEvent(game, event, NAMES, 0), describeCaption(game, event, NAMES, 0), describeEvent(game, event, NAMES)]);
      for (const [mine, caption, plain] of sentences) {
        equal([mine, mine.includes("Guest"), caption.includes("Guest")], [mine, false, false]);
        equal([plain, plain.includes("undefined"), mine.includes("undefined"), mine.length > 3], [plain, false, false, true]);
      }
    }
  },
  "others are named": async () => {
    await speak("en");
    const took = { event: "took", seat: 0, card: 3, row: 1, cards: [55], chosen: true, text };
    equal(describeEvent("nimmt", took, NAMES, 0), "Your 3 is lower than every row. You take 55: 7 heads.");
    equal(describeCaption("nimmt", took, NAMES, 0), "3 is lower than every row: you take 7 heads.");
    equal(describeEvent("nimmt", took, NAMES, 1), "Guest 9328: 3 is lower than every row. Guest 9328 takes 55: 7 heads.");
    const won = { event: "won", seats: [0, 2], text };
    equal(describeEvent("nimmt", won, NAMES, 2), "You share the win with Guest 9328.");
    equal(describeEvent("nimmt", won, NAMES, 1), "Guest 9328 and Bo share the win.");
    equal(describeEvent("war", { event: "turned", cards: [4, 9], added: [2, 1], text }, NAMES, 1), "Guest 9328 adds 1 face down and reveals the three of clubs; you reveal the four of diamonds.");
  },
};
