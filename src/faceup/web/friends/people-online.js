import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { asPlayer, face } from "../art/faces.js";
import { listHeadStyles } from "../ui/list-styles.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";

/** @import { Online, OnlinePerson } from "../api/http-types.js" */

/** The number of people that are shown at first. */
const FEW = 6;

/** How many people are online, and those who play or wait at public tables, on the home page. */
export class PeopleOnline extends LitElement {
  static properties = { online: { attribute: false }, all: { state: true } };
  static styles = [
    baseStyles,
    listHeadStyles,
    css`
      h3 i {
        width: 0.6rem;
        height: 0.6rem;
        border-radius: 50%;
        background: var(--good);
      }
      .surface {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        overflow: hidden;
      }
      li.aligned {
        gap: var(--space-3);
        padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4);
        min-height: 60px;
      }
      li + li {
        border-top: 1px solid var(--sunken);
      }
      .face {
        width: 40px;
      }
      .words a {
        display: inline-block;
        max-width: 100%;
        padding-block: 2px;
        vertical-align: bottom;
      }
      small {
        display: block;
        color: var(--ink-soft);
        font-size: var(--text--1);
      }
      .go {
        padding-inline: var(--space-3);
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {Online | null} */
    this.online = null;
    this.all = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  /** @param {OnlinePerson} person */
  #renderPerson(person) {
    const { handle, game, variant, status, table, access } = person;
    const name = listedPerson(person);
    const what = t(access === "join" ? "shell.online.join" : "shell.table.watch");
    return html`<li class="aligned">
      ${face(asPlayer(person))}
      <span class="words grow"><a class="player cut" href="${BASE}/players/${handle}">${name}</a><small class="block soft small">${gameTitle(game)} · ${t(status === "pending" ? "shell.online.waits" : "shell.online.plays")} · ${variantTitle(game, variant)}</small></span>
      ${table === null ? nothing : html`<a class="button quiet go rigid" href="${BASE}/t/${table}" aria-label=${t(access === "join" ? "shell.online.join.name" : "shell.online.watch.name", { name })}>${what}</a>`}
    </li>`;
  }

  render() {
    const { count = 0, people = [] } = this.online ?? {};
    const shown = this.all ? people : people.slice(0, FEW);
    return html`<section aria-labelledby="online">
      <div class="cluster apart">
        <h3 class="aligned" id="online">${count ? html`<i aria-hidden="true"></i>` : nothing}${this.online && count ? t("shell.online.count", { count }) : t("shell.online")}</h3>
        ${serverInfo.player ? html`<a class="button quiet" href="${BASE}/friends">${t("shell.friends")}</a>` : nothing}
      </div>
      ${shown.length
        ? html`<ul class="surface">${shown.map((person) => this.#renderPerson(person))}</ul>`
        : html`<p class="soft">${this.online ? t("shell.online.none") : ""}</p>`}
      ${shown.length < people.length ? html`<button class="quiet" @click=${() => (this.all = true)}>${t("shell.online.all", { count: people.length })}</button>` : nothing}
    </section>`;
  }
}
customElements.define("people-online", PeopleOnline);
