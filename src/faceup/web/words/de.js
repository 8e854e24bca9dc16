import learn from "./de/learn.js";
import manners from "./de/manners.js";
import nimmt from "./de/nimmt.js";
import niuniu from "./de/niuniu.js";
import refusals from "./de/refusals.js";
import replay from "./de/replay.js";
import shell from "./de/shell.js";
import table from "./de/table.js";
import war from "./de/war.js";

export default { ...learn, ...manners, ...nimmt, ...niuniu, ...refusals, ...replay, ...shell, ...table, ...war };
