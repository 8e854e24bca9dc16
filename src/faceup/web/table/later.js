/** The parts of a table that its first picture does not need: the log and the reactions. */
import "./game-log.js";
export { reactionFace } from "./reactions.js";
