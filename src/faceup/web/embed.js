/**
 * The module that third-party pages import for `<faceup-replay src="game.ndjson">`; see docs/how-to/embed-a-replay.md.
 */
import { settings } from "./ui/settings.js";
import { loadNamespaces, setLanguage, matchLanguage } from "./i18n/translate.js";

await loadNamespaces("replay");
await setLanguage(settings.language || matchLanguage(navigator.languages));
await import("./table/faceup-replay.js");
