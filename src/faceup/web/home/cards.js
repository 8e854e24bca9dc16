/** The parts of the home page that its first picture does not need: those that show what the server has for this player. */
import "../daily/daily-card.js";
import "../friends/inbox-cards.js";
import "../friends/people-online.js";
import "../parties/party-card.js";
import "../puzzles/puzzle-card.js";
import "./my-tables.js";
import { loadNamespaces } from "../i18n/translate.js";

await loadNamespaces("party");
