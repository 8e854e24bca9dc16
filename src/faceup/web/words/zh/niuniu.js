/** @param {string[]} names */
const list = (names) => new Intl.ListFormat("zh", { type: "conjunction" }).format(names);
const DIGITS = "零一二三四五六七八九";
/** @param {number} points */
const hand = (points) => (points === 10 ? "牛牛" : points ? `牛${DIGITS[points]}` : "没牛");
/** @param {string} name as the server has it: "Niu 8" */
const named = (name) => hand(name === "Niu Niu" ? 10 : Number(name.replace(/\D/g, "")));
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} = ${dice.reduce((total, die) => total + die, 0)}`;

/** @type {import("../say.js").Catalogue} */
export default {
  "niuniu.air": "骰子在空中",
  "niuniu.asks": "掷骰子吧。",
  "niuniu.drawn": "平手：{names}都是{hand}。",
  "niuniu.empty": "还没掷",
  "niuniu.event.chose": "{name}摇起了骰子。",
  "niuniu.event.match_won": ({ seats, won, names }) =>
    seats.length > 1
      ? `${list(seats.map((/** @type {number} */ seat) => names[seat]))}并列获胜，各赢 ${won} 次。`
      : `${names[seats[0]]}赢得比赛，共赢 ${won} 次。`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name}掷出 ${dice.join(" ")}：${hand(points)}${triple ? `（${added(triple)}，${added(rest)}）` : ""}。`,
  "niuniu.event.throw_drawn": ({ seats, fields, names }) =>
    `这次平手：${list(seats.map((/** @type {number} */ seat) => names[seat]))}都是${named(fields.name)}。`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name}以${named(fields.name)}赢得这次。`,
  "niuniu.hand": ({ points }) => hand(points),
  "niuniu.keys": "任意键",
  "niuniu.keys.throw": "掷骰子",
  "niuniu.none": "没有三颗凑成十",
  "niuniu.odds": "概率",
  "niuniu.odds.battle": ({ count, win, draw }) => `${count} 人对掷，每人赢一次的概率是 ${win}，平手的概率是 ${draw}。`,
  "niuniu.odds.came": "出现",
  "niuniu.odds.chance": "概率",
  "niuniu.odds.hand": "牌型",
  "niuniu.odds.mine": "{hand}胜过 {below} 的结果",
  "niuniu.odds.statistics": ({ baozi }) =>
    `统计分：豹子（${baozi} 颗或更多相同）5 分，牛牛 3 分，牛七到牛九 2 分，其他有牛 1 分。统计分不决定胜负。`,
  "niuniu.statistics": "统计分 {count}",
  "niuniu.throw": "掷骰子",
  "niuniu.thrown": "已掷",
  "niuniu.which": ({ number, throws }) => (throws > 1 ? `第 ${number} 次，共 ${throws} 次` : "只掷一次"),
  "niuniu.wins": "{names}以{hand}获胜。",
  "niuniu.wins.me": "你以{hand}获胜。",
  "niuniu.won": "赢了 {count} 次",
};
