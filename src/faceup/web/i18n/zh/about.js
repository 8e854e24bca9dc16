/** @import { Catalogue } from "../translate.js" */

/** @type {Catalogue} */
export default {
  "about.title": "关于 {site}",
  "about.program": "本服务器运行自由软件 faceup {version}。",
  "about.source": "源代码",
  "about.age": "年满 {count} 岁才能注册账户。",
  "about.trade_marks": "商标",
  "about.trade_marks.text": "6 nimmt!（谁是牛头王）是 AMIGO Spiel + Freizeit GmbH 的商标，游戏作者为 Wolfgang Kramer。faceup 与他们没有关联，只实现了规则，未使用其任何美术素材。",
  "about.licences": "许可证",
  "about.licences.text": "faceup 采用 {licence} 许可证。本页面包含他人的以下作品：",
};
