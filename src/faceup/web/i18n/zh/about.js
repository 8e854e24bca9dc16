/** @import { Catalogue } from "../translate.js" */

/** @type {Catalogue} */
export default {
  "about.footer": "关于本站",
  "about.link": "关于",
  "about.title": "关于 {site}",
  "about.imprint": "网站信息",
  "about.privacy": "隐私",
  "about.terms": "使用条款",
  "about.contact": "联系方式",
  "about.program": "本服务器运行自由软件 faceup {version}。",
  "about.source": "源代码",
  "about.age": "年满 {count} 岁才能注册账户。",
  "about.trade_marks": "商标",
  "about.trade_marks.text": "6 nimmt!（谁是牛头王）是 AMIGO Spiel + Freizeit GmbH 的商标，游戏作者为 Wolfgang Kramer。faceup 与他们没有关联，只实现了规则，未使用其任何美术素材。",
  "about.licences": "许可证",
  "about.licences.text": "faceup 采用 {licence} 许可证。本页面包含他人的以下作品：",
};
