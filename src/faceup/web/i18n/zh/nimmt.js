import { total } from "../../art/heads.js";

/** @param {number} count */
const heads = (count) => `${count} 个牛头`;

/** @type {import("../translate.js").Catalogue} */
export default {
  "nimmt.rows": "各行",
  "nimmt.hand": "你的手牌",
  "nimmt.row": ({ row, cards, left, heads: sum }) => `第 ${row} 行：${cards}。${heads(sum)}；${left ? `还能放 ${left} 张` : "已满，下一张牌收下这一行"}。`,
  "nimmt.card": ({ card, heads: count, chosen }) => `${card}，${heads(count)}${chosen ? "，已选" : ""}`,
  "nimmt.heads": ({ heads: count }) => heads(count),
  "nimmt.deal": ({ deal, of }) => (of ? `第 ${deal}/${of} 局` : `第 ${deal} 局`),
  "nimmt.turn": "第 {turn}/{of} 轮",
  "nimmt.leads": ({ count, names, heads: fewest }) => `${count > 2 ? `${count} 人` : names}领先（牛头最少：${fewest}）`,
  "nimmt.leads.me": "你领先（牛头最少：{heads}）",
  "nimmt.leads.us": ({ count, names, heads: fewest }) => `你和${count > 2 ? `另外 ${count - 1} 人` : names}领先（牛头最少：${fewest}）`,
  "nimmt.shuffling": "正在洗牌……",
  "nimmt.choose": "请选一张牌。",
  "nimmt.waiting_for_row": "{name}正在选择要收下的一行。",
  "nimmt.choose_row": "你的 {card} 比各行末尾的牌都小。请选一行收下。",
  "nimmt.would.fit": "预览：{card} 放到第 {row} 行，在 {after} 后面。",
  "nimmt.would.take": ({ card, row, heads: count }) => `预览：${card} 放不进第 ${row} 行，你要收 ${heads(count)}。`,
  "nimmt.would.low": "预览：{card} 比各行末尾的牌都小，你要任选一行收下。",
  "nimmt.would.row": ({ row, heads: count }) => `收下第 ${row} 行：${heads(count)}。`,
  "nimmt.tap.play": "出牌",
  "nimmt.play": "出 {card}",
  "nimmt.play_instead": "改出 {card}",
  "nimmt.undo": "撤回",
  "nimmt.take": "收第 {row} 行",
  "nimmt.row_taken": ({ name, heads: sum, chosen }) => (chosen ? `${name}选了这一行：${heads(sum)}` : `${name}收下 ${heads(sum)}`),
  "nimmt.deal_over": "第 {deal} 局结束",
  "nimmt.hint": "提示",
  "nimmt.keys.hint": "显示或隐藏提示",
  "nimmt.keys.move": "在手牌间移动",
  "nimmt.keys.enter": "选一张牌；再按一次出牌",
  "nimmt.keys.escape": "撤回",
  "nimmt.keys.rows": "选择要收下的一行",
  "nimmt.event.dealt": ({ name, hand }) => `${name}拿到 ${hand.join(" ")}。`,
  "nimmt.event.opened": ({ deal, cards }) => `${deal > 1 ? `第 ${deal} 局：` : ""}各行以 ${cards.join(" ")} 开始。`,
  "nimmt.event.revealed": ({ names, plays }) =>
    `揭晓：${plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : [])).join("，")}。`,
  "nimmt.event.placed": ({ name, card, row }) => `${name}：${card} 放到第 ${row + 1} 行。`,
  "nimmt.event.took": ({ name, card, row, chosen, cards }) =>
    `${name}：${card} ${chosen ? "比各行都小" : `放不进第 ${row + 1} 行`}。${name}收下 ${cards.join(" ")}：${heads(total(cards))}。`,
  "nimmt.shows.revealed": "翻牌！",
  "nimmt.shows.placed": ({ card, row }) => `${card} 放到第 ${row + 1} 行。`,
  "nimmt.shows.took": ({ name, card, row, chosen, cards: taken }) =>
    `${card} ${chosen ? "比各行都小" : `放不进第 ${row + 1} 行`}，${name}收下 ${heads(total(taken))}。`,
  "nimmt.event.out": "{who}出局。",
  "nimmt.event.set_aside": "{name}：{card} 放到一边，不计入任何人。",
  "nimmt.event.deal_over": ({ names, heads: deal, match }) =>
    `这一局结束。${names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} ${deal[seat] === match[seat] ? "" : `+${deal[seat]}，共 `}${match[seat]}`).join("；")}。`,
  "nimmt.event.won": ({ who, seats }) =>
    seats.length === 1 ? `${who}牛头最少，获胜。` : `${who}并列获胜。`,
  "nimmt.event.took.me": ({ card, row, chosen, cards }) =>
    `你的 ${card} ${chosen ? "比各行都小" : `放不进第 ${row + 1} 行`}。你收下 ${cards.join(" ")}：${heads(total(cards))}。`,
  "nimmt.shows.took.me": ({ card, row, chosen, cards: taken }) =>
    `${card} ${chosen ? "比各行都小" : `放不进第 ${row + 1} 行`}，你收下 ${heads(total(taken))}。`,
  "nimmt.event.out.me": "你出局了。",
  "nimmt.event.won.me": "你以最少的牛头获胜。",
  "nimmt.event.dealt.me": ({ hand }) => `你拿到 ${hand.join(" ")}。`,
  "nimmt.event.placed.me": ({ card, row }) => `你的 ${card} 放到第 ${row + 1} 行。`,
  "nimmt.event.set_aside.me": "你的 {card} 放到一边，不计入任何人。",
  "nimmt.event.out.us": ({ others }) => `你和${others}出局。`,
  "nimmt.event.won.us": ({ others }) => `你和${others}并列获胜。`,
};
