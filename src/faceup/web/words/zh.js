import learn from "./zh/learn.js";
import manners from "./zh/manners.js";
import nimmt from "./zh/nimmt.js";
import niuniu from "./zh/niuniu.js";
import refusals from "./zh/refusals.js";
import replay from "./zh/replay.js";
import shell from "./zh/shell.js";
import table from "./zh/table.js";
import war from "./zh/war.js";

export default { ...learn, ...manners, ...nimmt, ...niuniu, ...refusals, ...replay, ...shell, ...table, ...war };
