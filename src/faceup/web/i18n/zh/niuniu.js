const DIGITS = "零一二三四五六七八九";
/** @param {number} points */
const hand = (points) => (points === 10 ? "牛牛" : points ? `牛${DIGITS[points]}` : "没牛");
/** @param {string} name as the server has it: "Niu 8" */
const named = (name) => hand(name === "Niu Niu" ? 10 : Number(name.replace(/\D/g, "")));
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} = ${dice.reduce((total, die) => total + die, 0)}`;

/**
 * Describe throws won, and throws drawn if there are any.
 *
 * @param {number} won
 * @param {number} drawn
 */
const decided = (won, drawn) => `赢 ${won} 次${drawn ? `、平 ${drawn} 次` : ""}`;

/** @type {import("../translate.js").Catalogue} */
export default {
  "niuniu.rolling": "掷骰中",
  "niuniu.prompt": "请掷骰子。",
  "niuniu.drawn": "{names}打成平手，都是{hand}。",
  "niuniu.drawn.me": "你和{names}打成平手，都是{hand}。",
  "niuniu.empty": "还没掷",
  "niuniu.event.chose": "{name}准备掷骰。",
  "niuniu.event.match_won": ({ seats, won, drawn, who }) =>
    seats.length > 1
      ? `${who}并列获胜，各${decided(won, drawn)}。`
      : `${who}赢得整场，共${decided(won, drawn)}。`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name}掷出 ${dice.join(" ")}：${hand(points)}${triple ? `（${added(triple)}，${added(rest)}）` : ""}。`,
  "niuniu.event.throw_drawn": ({ fields, who }) =>
    `这一掷${who}打成平手，都是${named(fields.name)}。`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name}以${named(fields.name)}赢下这一掷。`,
  "niuniu.hand": ({ points }) => hand(points),
  "niuniu.hands": ({ count, sum, mean, baozi }) => `${count} 手 · 总分 ${sum} · 平均 ${mean} · 豹子 ${baozi}`,
  "niuniu.keys": "任意键",
  "niuniu.keys.throw": "掷骰子",
  "niuniu.no_triple": "没有三颗能凑成十",
  "niuniu.odds": "概率",
  "niuniu.odds.battle": ({ count, win, draw, lose }) =>
    `${count} 人对掷，每人每次赢的概率是 ${win}，平手的概率是 ${draw}，输的概率是 ${lose}。`,
  "niuniu.odds.observed": "实际出现",
  "niuniu.odds.probability": "概率",
  "niuniu.odds.hand": "牌型",
  "niuniu.odds.percentile": "{hand}胜过 {below} 的牌型",
  "niuniu.odds.statistics": ({ baozi }) =>
    `统计分：豹子（${baozi} 颗或更多相同）5 分，牛牛 3 分，牛七到牛九 2 分，其他有牛 1 分。统计分不决定胜负。`,
  "niuniu.score": ({ won, drawn }) => `赢了 ${won} 次${drawn ? `，平了 ${drawn} 次` : ""}`,
  "niuniu.statistics": "统计分：{count}",
  "niuniu.throw": "掷骰子",
  "niuniu.throw_done": "已掷",
  "niuniu.throw_number": ({ number, throws }) => (throws > 1 ? `第 ${number} 次，共 ${throws} 次` : "只掷一次"),
  "niuniu.wins": "{names}以{hand}获胜。",
  "niuniu.wins.me": "你以{hand}获胜。",
  "niuniu.event.chose.me": "你准备掷骰。",
  "niuniu.event.match_won.me": ({ won, drawn }) => `你赢得整场，共${decided(won, drawn)}。`,
  "niuniu.event.match_won.us": ({ won, drawn, others }) => `你和${others}并列获胜，各${decided(won, drawn)}。`,
  "niuniu.event.threw.me": ({ dice, hand: { points, triple, rest } }) =>
    `你掷出 ${dice.join(" ")}：${hand(points)}${triple ? `（${added(triple)}，${added(rest)}）` : ""}。`,
  "niuniu.event.throw_drawn.us": ({ fields, others }) => `这一掷你和${others}打成平手，都是${named(fields.name)}。`,
  "niuniu.event.throw_won.me": ({ fields }) => `你以${named(fields.name)}赢下这一掷。`,
};
