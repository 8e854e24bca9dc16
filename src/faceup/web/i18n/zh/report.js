/** @type {import("../translate.js").Catalogue} */
export default {
  "report.hint": "只有此服务器的管理员能看到你的举报。你为什么举报这位玩家？",
  "report.name": "名字不当",
  "report.stalling": "拖延时间",
  "report.leaving": "中途退出",
  "report.reactions": "骚扰性表情",
  "report.cheating": "作弊",
};
