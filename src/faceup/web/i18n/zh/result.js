/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "最佳一手：{hand}",
  "result.best_hand.who": "{name}，第 {number} 掷",
  "result.no_heads": "一个牛头也没有",
  "result.own": "你在 {of} 人中第 {place}",
};
