import { html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { formatNumber, joinTexts } from "../i18n/format.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";

/** @import { EntrantView, PublicTournament, RoundTableView, StandingView } from "../api/http-types.js" */

/** Parts of the page of a tournament that only show something. */

/** Format points, without digits after the decimal point if there are none. @param {number} points */
export function formatPoints(points) {
  return formatNumber(points, Number.isInteger(points) ? 0 : 2);
}

/** Return the name of a tournament to show, also of one without a name. @param {string} name */
export function tournamentName(name) {
  return name || t("tournaments.unnamed");
}

/** Return the points of a bye. @param {PublicTournament} tournament */
export function byePoints({ seats }) {
  return seats === 2 ? 1 : 0.5;
}

/** Numbers of rows of the standings and of tables of a round that are shown at first. */
const [ROWS, TABLES] = [25, 10];

/**
 * Return the first items, and those that are the viewer's own; all of them if the whole list is wanted.
 *
 * @template T
 * @param {T[]} items
 * @param {number} count
 * @param {boolean} whole
 * @param {(item: T) => boolean} own
 */
function excerpt(items, count, whole, own) {
  return whole || items.length <= count + 2 ? items : items.filter((item, index) => index < count || own(item));
}

/** Whether an entrant is shown: not one who waits, or was removed before playing. @param {EntrantView} entrant */
export function takesPart({ name }) {
  return name !== "";
}

/** @param {EntrantView} entrant @param {number | undefined} own */
function renderName(entrant, own) {
  const state = entrant.number === own ? t("tournaments.you") : entrant.status === "active" ? "" : t(`tournaments.${entrant.status}`);
  return html`<span>${entrant.handle ? html`<a class="cut" href="${BASE}/players/${entrant.handle}">${listedPerson(entrant)}</a>` : html`<b class="cut">${listedPerson(entrant)}</b>`}
    ${state ? html`<small class="soft">${state}</small>` : nothing}</span>`;
}

/** @param {EntrantView} entrant @param {number | undefined} own */
function classOf({ number, status }, own) {
  return [number === own ? "mine" : "", status === "active" ? "" : "gone"].join(" ");
}

/**
 * Render the players before the first round.
 *
 * @param {PublicTournament} tournament
 * @param {number | undefined} own number of the viewer
 * @param {((entrant: EntrantView) => unknown) | null} tool what the host can do with an entrant
 */
export function renderPlayers({ players }, own, tool) {
  return html`<ul class="people tight">${players.filter(takesPart).map((entrant) => html`<li class="aligned sunken ${classOf(entrant, own)}">
    ${face(asPlayer(entrant))}<div class="who">${renderName(entrant, own)}</div>${tool?.(entrant) ?? nothing}</li>`)}</ul>`;
}

/**
 * Render the standings.
 *
 * @param {PublicTournament} tournament
 * @param {number | undefined} own number of the viewer
 * @param {((entrant: EntrantView) => unknown) | null} tool what the host can do with an entrant
 * @param {boolean} whole whether to show all rows
 */
export function renderStandings({ standings, players }, own, tool, whole) {
  const columns = /** @type {const} */ (["buchholz", "direct", "score"]);
  const wide = (/** @type {string} */ name) => (name === "buchholz" && !tool ? "number" : "number wide");
  return html`<table>
    <thead><tr>
      <th><span class="visually-hidden">${t("tournaments.place")}</span><span aria-hidden="true">#</span></th>
      <th>${t("tournaments.player")}</th>
      <th class="number">${t("tournaments.points")}</th>
      ${columns.map((name) => html`<th class=${wide(name)}>${t(`tournaments.${name}`)}</th>`)}
      ${tool ? html`<th><span class="visually-hidden">${t("tournaments.host")}</span></th>` : nothing}
    </tr></thead>
    <tbody>${excerpt(standings, ROWS, whole, ({ number }) => number === own).map((row) => {
      const entrant = players[row.number - 1];
      return html`<tr class=${classOf(entrant, own)}>
        <td>${row.place}</td>
        <td class="who"><div class="aligned">${face(asPlayer(entrant))}${renderName(entrant, own)}</div></td>
        <td class="number points">${formatPoints(row.points)}</td>
        ${columns.map((name) => html`<td class=${wide(name)}>${cell(row, name)}</td>`)}
        ${tool ? html`<td class="tool">${tool(entrant)}</td>` : nothing}
      </tr>`;
    })}</tbody>
  </table>`;
}

/** Whether some rows of the standings, or tables of a round, are not shown at first. @param {PublicTournament} tournament @param {number} round */
export function isLong({ standings, rounds }, round) {
  return { standings: standings.length > ROWS + 2, tables: (rounds[round - 1]?.tables.length ?? 0) > TABLES + 2 };
}

/** @param {StandingView} row @param {"buchholz" | "direct" | "score"} key */
function cell(row, key) {
  const value = row[key];
  return value === null ? "–" : formatPoints(value);
}

/**
 * Render the tables of a round.
 *
 * @param {PublicTournament} tournament
 * @param {number} round from 1
 * @param {number | undefined} own number of the viewer
 * @param {boolean} whole whether to show all tables
 */
export function renderRound({ rounds, players, settings }, round, own, whole) {
  const { tables, byes } = rounds[round - 1];
  const isOwn = (/** @type {RoundTableView} */ { seats }) => own !== undefined && seats.includes(own);
  return html`<ol class="tables tight">${excerpt(tables, TABLES, whole, isOwn).map((table) => {
    const own = isOwn(table);
    const index = tables.indexOf(table);
    const over = table.places !== null;
    const open = table.table && (own || over || settings.table.spectators === "anyone");
    const words = over || own ? "open" : "watch";
    return html`<li class=${own ? "own" : ""}>
      <header class="apart"><b>${t("tournaments.table", { table: index + 1 })}</b>
        ${open ? html`<a href="${BASE}/t/${table.table}" aria-label=${t(words === "open" ? "tournaments.open_table" : "tournaments.watch", { table: index + 1 })}>${t(`tournaments.${words}.short`)}</a>` : nothing}
      </header>
      <ul class="seats cluster">${bySeatOrPlace(table).map((seat) => renderSeat(table, seat, players))}</ul>
    </li>`;
  })}</ol>
  ${byes.length ? html`<p class="soft">${t("tournaments.byes", { names: joinTexts(byes.map((number) => listedPerson(players[number - 1]))) })}</p>` : nothing}`;
}

/** Return the seats of a table, in the order of places when they are known. @param {RoundTableView} table */
function bySeatOrPlace({ seats, places }) {
  const all = seats.map((_, seat) => seat);
  return places ? all.sort((first, second) => places[first] - places[second]) : all;
}

/** @param {RoundTableView} table @param {number} seat @param {EntrantView[]} players */
function renderSeat({ seats, places }, seat, players) {
  const entrant = players[seats[seat] - 1];
  return html`<li class=${[entrant ? "" : "bot", places?.[seat] === 1 ? "first" : ""].join(" ")}>
    ${entrant ? face(asPlayer(entrant)) : nothing}<span>${entrant ? listedPerson(entrant) : t("tournaments.bot")}</span>
    ${places ? html`<em class="soft"><span class="visually-hidden">${t("tournaments.place")} </span>${places[seat]}</em>` : nothing}
  </li>`;
}

/** Render how the tournament works: points, tie-breaks, pairing, absence and time. @param {PublicTournament} tournament */
export function renderRules({ settings, seats }) {
  const points = formatNumber(byePoints(/** @type {PublicTournament} */ ({ seats })), seats === 2 ? 0 : 1);
  const rules = [
    t("tournaments.rules.points"),
    t("tournaments.rules.buchholz"),
    t("tournaments.rules.direct"),
    t("tournaments.rules.score"),
    t(`tournaments.rules.${settings.format}`),
    settings.table.bots.length ? "" : t("tournaments.rules.bye", { points }),
    t("tournaments.rules.absent"),
    t("tournaments.rules.time", { minutes: Math.round(settings.round_time / 60_000) }),
  ];
  return html`<details class="panel stack"><summary>${t("tournaments.rules")}</summary>
    <ul>${rules.filter(Boolean).map((rule) => html`<li>${rule}</li>`)}</ul></details>`;
}
