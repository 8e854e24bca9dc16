/** @type {import("../translate.js").Catalogue} */
export default {
  "hint.busy": "教练正在思考……",
  "hint.full": "最佳：{card}，虽然第 {row} 行已满，有 {heads} 个牛头；{chance}。",
  "hint.low": "最佳：{card}，比各行都小，第 {row} 行只有 {heads} 个牛头；{chance}。",
  "hint.only": "你只有一个选择。",
  "hint.rank": "教练：第 {rank} 名，比最佳多 {more} 个牛头，收走一行的风险 {risk}",
  "hint.rank.row": "教练：第 {rank} 名，比最佳多 {more} 个牛头",
  "hint.ranking": "按预期牛头数排名：{ranking}。",
  "hint.risk": "收走一行的风险 {percent}",
  "hint.risk.none": "没有风险",
  "hint.risk.sure": "一定会收走一行",
  "hint.room": "最佳：{card}，放在第 {row} 行的 {after} 后，还能放 {room} 张；{chance}。",
  "hint.row": ({ card, row, heads, followers }) =>
    `最佳：第 ${row} 行，${heads} 个牛头；这一轮${followers ? `有 ${followers} 张牌` : "没有牌"}接在你的 ${card} 后面。`,
  "hint.row_number": "第 {row} 行",
  "hint.safe": "最佳：{card}，放在第 {row} 行的 {after} 后面，中间插不进太多牌；{chance}。",
  "hint.selected": "{option}：比最佳多 {more} 个牛头，收走一行的风险 {risk}，胜率 {win}。",
  "hint.selected.row": "{option}：比最佳多 {more} 个牛头，胜率 {win}。",
};
