/** @type {import("../translate.js").Catalogue} */
export default {
  "series.title": "{count} 局后的总成绩",
  "series.player": "玩家",
  "series.game": "第 {number} 局",
  "series.place": "{score}，第 {place} 名",
  "series.absent": "未参加",
  "series.total.nimmt": "牛头",
  "series.total": "总分",
  "series.wins": "胜局",

  "series.asks": "{name}想再来一局。",
  "series.open": "新的一局已开好。",
  "series.join": "加入",
  "series.watch": "观战",
  "series.follow": "{count} 秒后进入新牌桌。",
  "series.stay": "留在这里",

  "series.held": "座位已保留",
  "series.take": "回到座位",
  "series.waiting": "正在等待{names}。到齐后自动开始。",
  "series.start_without": "不等{names}，直接开始",
  "series.starts": "3 秒后开始。",
  "series.ready": "人到齐了",
};
