import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { PartySource } from "./requests.js";
import { serverInfo } from "../api/server-info.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { partyName } from "./party-card.js";
import "./party-countdown.js";
import "./party-evening.js";
import "./party-members.js";
import "./party-play.js";
import "./party-statistics.js";

/** Page of a party for its members: the running table or the next game, and the members. */
export class PartyPage extends LitElement {
  static properties = { address: { attribute: false }, source: { state: true } };
  static styles = [
    baseStyles,
    css`
      .all {
        max-width: 68rem;
        margin: 0 auto;
        padding: var(--space-2) var(--space-4) var(--space-7);
        gap: var(--space-4);
      }
      .apart {
        gap: var(--space-2) var(--space-4);
      }
      h1 {
        flex: 1 1 12rem;
        min-width: 0;
        hyphens: auto;
        unicode-bidi: isolate;
      }
      @media (max-width: 30rem) {
        h1 {
          flex-basis: 100%;
          font-size: var(--text-4);
        }
        header button {
          flex: 1 1 9rem;
          padding-inline: var(--space-2);
          font-size: var(--text--1);
        }
      }
      .halves {
        gap: var(--space-4);
        align-items: start;
      }
      @media (min-width: 54rem) {
        .halves {
          grid-template-columns: 1.1fr 1fr;
        }
      }
      .gone {
        padding: var(--space-7) 0;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{party?: string}} */
    this.address = {};
    /** @type {PartySource | null} */
    this.source = null;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    const source = new PartySource(this.address.party ?? "");
    source.addEventListener("change", () => this.#changed());
    source.addEventListener("end", () => this.requestUpdate());
    this.source = source;
  }

  disconnectedCallback() {
    this.source?.stop();
    super.disconnectedCallback();
  }

  #changed() {
    const { party } = this.source ?? {};
    if (party) setPageTitle(() => partyName(party.name, party.members));
    if (party && party.members.length > 1 && !serverInfo.known) void serverInfo.refresh(); // to receive invitations
    this.requestUpdate();
  }

  async #invite() {
    const { party } = this.source ?? {};
    if (party) await (await import("../ui/share-dialog.js")).shareParty(party, partyName(party.name, party.members));
  }

  async #inviteFriends() {
    const { party } = this.source ?? {};
    if (party) (await import("../friends/invite-dialog.js")).openInvite({ party: party.id }, party.members.map(({ handle }) => handle));
  }

  #renderGone() {
    return html`<div class="gone notice" role="alert"><h1>${t("party.gone")}</h1><p class="soft">${t("party.gone.hint")}</p>
      <a class="button main" href="${BASE}/">${icon("home")}${t("table.home")}</a></div>`;
  }

  render() {
    const { party, error, lost } = this.source ?? {};
    return html`<top-bar></top-bar>
      <div class="all stack">
        ${error ? this.#renderGone() : nothing}
        ${lost && !error ? html`<p class="error" role="alert">${t("table.disconnected")}</p>` : nothing}
        ${party && !error
          ? html`<header class="cluster apart">
                <h1>${partyName(party.name, party.members)}</h1>
                <button @click=${this.#inviteFriends}>${icon("people")}${t("party.invite.friends")}</button>
                <button class="main" @click=${this.#invite}>${icon("share")}${t("party.invite")}</button>
              </header>
              <party-evening .party=${party}></party-evening>
              <div class="halves stack">
                <party-play .party=${party} .source=${this.source}></party-play>
                <party-members .party=${party} @change=${() => this.source?.reload().catch(() => undefined)}></party-members>
              </div>
              <party-statistics .party=${party}></party-statistics>
              <party-countdown .source=${this.source}></party-countdown>`
          : nothing}
      </div>`;
  }
}
customElements.define("party-page", PartyPage);
