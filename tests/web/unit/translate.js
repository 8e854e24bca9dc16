import { hasTranslation, language, loadNamespaces, matchLanguage, setLanguage, t } from "../i18n/translate.js";
import { equal } from "./assert.js";

export const tests = {
  "the first supported language is matched, else English": () => {
    equal(matchLanguage(["de-AT", "en"]), "de");
    equal(matchLanguage(["fr", "zh-Hans-CN"]), "zh");
    equal(matchLanguage(["fr"]), "en");
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
    for (const name of /** @type {const} */ (["en", "de", "zh"])) {
      await setLanguage(name);
      found.push([1, 3].map((count) => t("shell.results.played", { count })));
    }
    equal(found, [["1 game", "3 games"], ["1 Spiel", "3 Spiele"], ["1 局", "3 局"]]);
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
