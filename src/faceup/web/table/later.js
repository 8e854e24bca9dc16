/** The parts of a table that its first picture does not need: the log and the reactions. */
import { formatList } from "../i18n/format.js";
import "./game-log.js";
export { reactionFace } from "./reactions.js";

formatList([]); // The first list takes a phone 70 ms, and would be needed during a reveal.
