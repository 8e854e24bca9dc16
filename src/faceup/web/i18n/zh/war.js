const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS = ["梅花", "方块", "红桃", "黑桃"];
/** @param {number} card */
const named = (card) => `${SUITS[card & 3]}${RANKS[card >> 2]}`;
/** @type {(name: string, card: number, added: number) => string} */
const turned = (name, card, added) =>
  added === 0
    ? `${name}没有牌了，${named(card)}再比一次`
    : `${name}${added > 1 ? `盖下 ${added - 1} 张，` : ""}翻开${named(card)}`;
/** @type {Record<string, (rounds: number) => string>} */
const WON = {
  "all cards": (rounds) => `在 ${rounds} 回合后收齐所有牌`,
  cap: (rounds) => `在 ${rounds} 回合后牌更多`,
  "sudden death": (rounds) => `在第 ${rounds} 回合决胜`,
};

/** @type {import("../translate.js").Catalogue} */
export default {
  "war.prompt": "翻开你的牌。",
  "war.prompt.auto": "牌会自动翻开。",
  "war.auto": "自动",
  "war.auto.fast": "自动翻牌，快速",
  "war.auto.slow": "自动翻牌",
  "war.auto.fastest": "以最快速度玩完整局",
  "war.card": ({ card }) => named(card),
  "war.cards": "{count} 张牌",
  "war.chance": "你的胜率",
  "war.chance.of": "{name}的胜率",
  "war.chance.label": "{title}：{rounds} 回合后 {chance}。",
  "war.down": "盖着的牌",
  "war.event.chose": "",
  "war.event.collected": "{name}收下 {count} 张牌。",
  "war.event.dealt": ({ each, redeal, names, viewer }) =>
    `${redeal ? `第 ${redeal} 次重新发牌` : "发牌"}：${viewer === 0 ? "你" : names[0]}和${viewer === 1 ? "你" : names[1]}各 ${each} 张。`,
  "war.event.drawn": "{rounds} 回合后平局。",
  "war.event.reshuffled": "已进行 {rounds} 回合：两边的牌堆重新洗牌。",
  "war.event.sudden_death": "{rounds} 回合后进入决胜：下一回合的赢家赢得全局。",
  "war.event.turned": ({ fields, names, viewer }) =>
    `${[0, 1].map((seat) => turned(seat === viewer ? "你" : names[seat], fields.cards[seat], fields.added[seat])).join("；")}。`,
  "war.event.undecided": "双方都没有牌了，翻开的牌又相同：这一回合不分胜负。",
  "war.event.war": "点数相同：第 {number} 次开战！",
  "war.event.won": ({ name, by, rounds }) => `${name}${WON[by](rounds)}，赢得全局。`,
  "war.shows.turned": ({ cards: [one, other] }) => `${RANKS[one >> 2]} 对 ${RANKS[other >> 2]}。`,
  "war.flip": "翻牌",
  "war.flip_done": "已准备",
  "war.keys": "任意键",
  "war.keys.auto": "自动或手动",
  "war.keys.flip": "翻一张牌",
  "war.chart.help":
    "由最多 1000 局模拟估计：符合你看到过的牌，不计顺序；平局算一半。色带为 95% 置信区间。",
  "war.chart.rounds": "{count} 回合",
  "war.chart.legend": "线：胜率 · 阴影：牌数 · 短线：开战",
  "war.no_card": "没有翻开的牌",
  "war.pile": "一堆 {count} 张牌",
  "war.rank": ({ rank }) => RANKS[rank],
  "war.round": "第 {round} 回合，最多 {cap} 回合",
  "war.caption.collected": "{name}的{rank}收下 {count} 张牌。",
  "war.caption.dealt": "发牌。",
  "war.caption.drawn": "平局。",
  "war.caption.reshuffled": "两边的牌堆重新洗牌。",
  "war.caption.sudden_death": "决胜：下一回合定胜负！",
  "war.caption.war": "开战！",
  "war.caption.won": "{name}赢得全局。",
  "war.wars": "开战 {count} 次",
  "war.event.collected.me": "你收下 {count} 张牌。",
  "war.event.won.me": ({ by, rounds }) => `你${WON[by](rounds)}，赢得全局。`,
  "war.caption.collected.me": "你的{rank}收下 {count} 张牌。",
  "war.caption.won.me": "你赢得全局。",
};
