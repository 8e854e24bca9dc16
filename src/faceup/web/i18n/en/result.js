/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Best hand: {hand}",
  "result.best_hand.who": "{name}, throw {number}",
  "result.no_heads": "not a single head",
  "result.own": "You are number {place} of {of}",
  "result.share": "Share",
  "result.share.copied": "Copied: paste it anywhere.",
  "result.share.failed": "This browser cannot share or copy.",
  "result.share.player": "{place}. {name} ({score})",
  "result.share.text": "{game}: {players}",
  "result.share.title": "A game of {game}",
};
