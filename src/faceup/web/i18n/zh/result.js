/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "最佳一手：{hand}",
  "result.best_hand.who": "{name}，第 {number} 掷",
  "result.no_heads": "一个牛头也没有",
  "result.own": "你是第 {place} 名，共 {of} 人",
  "result.share": "分享",
  "result.share.copied": "已复制，可粘贴到任何地方。",
  "result.share.failed": "此浏览器无法分享或复制。",
  "result.share.player": "{place}. {name}（{score}）",
  "result.share.text": "{game}：{players}",
  "result.share.title": "一局{game}",
};
