import { css, html } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { joinTexts } from "../i18n/format.js";
import { describeClock, gameTitle, variantTitle } from "../i18n/games.js";
import { listedName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { listHeadStyles } from "../ui/list-styles.js";

/** @import { MyTable, PublicTable } from "../api/http-types.js" */

/** Styles of a list of tables with its heading. */
export const tableListStyles = [
  listHeadStyles,
  css`
    ul {
      grid-template-columns: minmax(0, 1fr);
    }
    a.aligned {
      gap: var(--space-3);
      padding: var(--space-3) var(--space-4);
      min-height: 64px;
    }
    li em {
      font-style: normal;
      font-weight: 700;
      color: var(--accent);
      white-space: nowrap;
    }
    .waits a {
      background: radial-gradient(120% 160% at 20% 0%, var(--felt), var(--felt-deep));
      color: var(--on-felt);
      box-shadow: var(--high);
      flex-wrap: wrap;
    }
    .waits span {
      flex: 1 1 11rem;
    }
    .waits small {
      color: var(--on-felt-soft);
    }
    @media (max-width: 19.99em) {
      li em {
        white-space: normal;
      }
    }
    .waits em {
      padding: var(--space-1) var(--space-3);
      border-radius: 99px;
      margin-inline-start: auto;
    }
  `,
];

/**
 * Render a table in a list, with a link to it.
 *
 * @param {MyTable | PublicTable} table
 * @param {string} [what] what the player can do there
 * @param {boolean} [waits] whether the table waits for the player
 */
export function renderTable(table, what, waits = false) {
  const { game, variant, seats, clock, rated } = table.summary;
  const free = seats.filter((seat) => !seat).length;
  const names = joinTexts(seats.flatMap((seat) => (seat ? [listedName(seat)] : [])));
  what ??= table.status === "pending" ? t("shell.table.free_seats", { count: free }) : t("shell.table.watch");
  return html`<li class=${waits ? "waits" : ""}><a class="aligned surface" href="${BASE}/t/${table.id}">
    <span class="grow"><b>${gameTitle(game)}</b> · ${variantTitle(game, variant)}<small class="block cut soft small">${names || t("shell.table.no_players")} · ${describeClock(clock)} · ${t(rated ? "table.rated" : "table.unrated")}</small></span>
    <em class="figures ${waits ? "gold" : ""}">${what}</em></a></li>`;
}
