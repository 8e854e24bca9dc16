import learn from "./en/learn.js";
import manners from "./en/manners.js";
import nimmt from "./en/nimmt.js";
import niuniu from "./en/niuniu.js";
import refusals from "./en/refusals.js";
import replay from "./en/replay.js";
import shell from "./en/shell.js";
import table from "./en/table.js";
import war from "./en/war.js";

export default { ...learn, ...manners, ...nimmt, ...niuniu, ...refusals, ...replay, ...shell, ...table, ...war };
