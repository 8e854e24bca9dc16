import { hasTranslation, language, loadNamespaces, matchLanguage, setLanguage, t } from "../i18n/translate.js";
import { equal } from "./assert.js";

export const tests = {
  "the first supported language is matched, else English": () => {
    equal(matchLanguage(["de-AT", "en"]), "de");
    equal(matchLanguage(["fr-CA", "en"]), "fr");
    equal(matchLanguage(["it", "zh-Hans-CN"]), "zh");
    equal(matchLanguage(["it"]), "en");
    equal(matchLanguage([]), "en");
  },
  "an unknown key is returned unchanged": () => {
    equal([t("table.no_such_key"), hasTranslation("table.no_such_key")], ["table.no_such_key", false]);
  },
  "placeholders are replaced": async () => {
    await setLanguage("en");
    equal(t("table.make_host", { name: "Ann" }), "Make Ann the host");
    equal(t("table.make_host"), "Make  the host");
  },
  "plurals follow the rules of each language": async () => {
    await loadNamespaces("shell");
    const found = [];
    for (const name of /** @type {const} */ (["en", "de", "fr", "zh"])) {
      await setLanguage(name);
      found.push([0, 1, 3].map((count) => t("shell.results.played", { count })));
    }
    equal(found, [["0 games", "1 game", "3 games"], ["0 Spiele", "1 Spiel", "3 Spiele"], ["0 partie", "1 partie", "3 parties"], ["0 局", "1 局", "3 局"]]);
  },
  "a context selects a message, and a message without it is for all others": async () => {
    await setLanguage("fr");
    await loadNamespaces("war");
    const names = ["queen", "jack"].map((context) => t("war.card", { rank: t(`war.rank.${context}`), suit: t("war.suit.hearts"), context }));
    equal(names, ["la dame de cœur", "le valet de cœur"]);
    equal([hasTranslation("war.cards"), hasTranslation("war.cards_one"), hasTranslation("war.card_king")], [true, true, false]);
  },
  "a context and a plural form are combined": async () => {
    await loadNamespaces("niuniu");
    await setLanguage("en");
    equal([1, 2].map((count) => t("niuniu.score", { count, drawn: 3, context: "drawn" })), ["1 throw won, 3 drawn", "2 throws won, 3 drawn"]);
  },
  "a namespace is loaded in the current language, and again after a switch": async () => {
    await setLanguage("de");
    await loadNamespaces("learn");
    equal(t("learn.all"), "Alle Spiele");
    await setLanguage("en");
    equal(t("learn.all"), "All games");
  },
  "the last of two concurrent switches wins": async () => {
    await Promise.all([setLanguage("zh"), setLanguage("de")]);
    equal([language(), t("table.you")], ["de", "du"]);
  },
};
