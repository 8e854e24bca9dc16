/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "最佳一手：{hand}",
  "result.best_hand.who": "{name}，第 {number} 掷",
  "result.no_heads": "一个牛头也没有",
  "result.own": "你在 {of} 人中第 {place}",
  "result.nearly.row": "一行就让你丢了胜局：{heads}。",
  "result.nearly.close": "只比赢家多 {heads}：就差一点。",
  "result.nearly.throw": "只差一掷。",
  "result.nearly.sudden_death": "最后一轮定了胜负。",
};
