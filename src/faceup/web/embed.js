/**
 * The one module that a page of somebody else needs for `<faceup-replay src="game.ndjson">`: docs/replays.md says how.
 */
import { settings } from "./manners/settings.js";
import { need, speak, spoken } from "./words/say.js";

await need("replay");
await speak(settings.language || spoken(navigator.languages));
await import("./table/faceup-replay.js");
