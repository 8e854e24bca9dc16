import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { acceptInvitation, inbox } from "./requests.js";
import { BASE, isOutcomeUnknown, request } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { formatList } from "../i18n/format.js";
import { gameTitle } from "../i18n/games.js";
import { personName } from "../i18n/players.js";
import { hasTranslation, loadNamespaces, t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../ui/navigation.js";
import "../ui/report-button.js";
import { baseStyles } from "../ui/styles.js";

/** @import { Invitation, Person } from "../api/http-types.js" */

/** The pages that show the cards in their own place. */
const OWN_PLACE = /^(\/|\/friends)$/;

/** The cards that the player has put off, by the id of the invitation or the handle of the person. @type {Set<string>} */
const later = new Set();

/**
 * The open invitations and requests, each with buttons to accept and to decline. With the attribute "toast", the latest
 * one floats above any page that has no place for them, until the player puts it off.
 */
export class InboxCards extends LitElement {
  static properties = { toast: { type: Boolean, reflect: true }, busy: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host([toast]) {
        position: fixed;
        inset-inline: var(--space-3);
        top: calc(var(--space-3) + env(safe-area-inset-top));
        z-index: 30;
        max-width: 30rem;
        margin: 0 auto;
        pointer-events: none;
      }
      :host(.invited) ul {
        margin-bottom: var(--space-3);
      }
      .tile {
        pointer-events: auto;
        gap: var(--space-2) var(--space-3);
        padding: var(--space-3) var(--space-4);
        border-radius: var(--radius);
      }
      :host([toast]) .tile {
        box-shadow: var(--highest);
        --from: -120%;
        animation: enter calc(var(--move) * 1.2) var(--ease);
      }
      .face {
        width: 2.75rem;
      }
      p {
        flex: 1 1 11rem;
        font-weight: 650;
        overflow-wrap: anywhere;
      }
      small {
        font-weight: 400;
        color: #f0d6de;
      }
      div {
        display: flex;
        gap: var(--space-1);
        margin-inline-start: auto;
      }
      .quiet {
        padding: 0 var(--space-2);
        color: inherit;
      }
      report-button {
        color: #f0d6de;
      }
      .error {
        flex: 1 1 100%;
        color: #ffd9d5;
      }
    `,
  ];

  constructor() {
    super();
    this.toast = false;
    this.busy = false;
    /** The error of the last action, and the card with which it happened. */
    this.error = { at: "", words: "" };
    /** An accepted invitation with an unknown outcome. It stays, although it may not be open any more. @type {Invitation | null} */
    this.unsettled = null;
    new LanguageController(this);
    new EventController(this, inbox, "change", () => this.#changed());
    new EventController(this, window, "popstate");
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#changed();
  }

  async #changed() {
    if (inbox.invitations.length || inbox.requests.length) await loadNamespaces("friends", "shell");
    this.requestUpdate();
  }

  /** @param {string} at @param {() => Promise<unknown>} work */
  async #run(at, work) {
    if (this.busy) return;
    this.busy = true;
    this.error = { at, words: "" };
    try {
      await work();
      this.unsettled = null;
    } catch (error) {
      if (!isOutcomeUnknown(error)) this.unsettled = null;
      this.error = { at, words: errorMessage(error) };
    } finally {
      this.busy = false;
      await inbox.reload().catch(() => undefined);
    }
  }

  /** @param {string} at */
  #putOff(at) {
    later.add(at);
    this.requestUpdate();
  }

  /**
   * @param {string} at
   * @param {Person} person
   * @param {string} words
   * @param {string} details
   * @param {() => Promise<unknown>} accept
   * @param {() => Promise<unknown>} decline
   * @param {unknown} [extra] what else the card offers
   */
  #renderCard(at, person, words, details, accept, decline, extra = nothing) {
    return html`<li class="cluster aligned tile wine">
      ${face(asPlayer(person))}
      <p>${words}${details ? html`<small class="block small">${details}</small>` : nothing}</p>
      <div>
        <button class="gold" ?disabled=${this.busy} @click=${() => this.#run(at, accept)}>${t("friends.invite.accept")}</button>
        <button class="quiet" ?disabled=${this.busy} @click=${() => this.#run(at, decline)}>${t("friends.invite.decline")}</button>
        ${this.toast ? html`<button class="quiet" aria-label=${t("friends.invite.later")} title=${t("friends.invite.later")} @click=${() => this.#putOff(at)}>${icon("close")}</button>` : nothing}
      </div>
      ${extra}
      ${this.error.at === at && this.error.words ? html`<p class="error" role="alert">${this.error.words}</p>` : nothing}
    </li>`;
  }

  /** @param {Invitation} invitation */
  #renderInvitation(invitation) {
    const { id, sender, kind, game, players, name } = invitation;
    const words =
      kind === "table"
        ? t("friends.invite.table", { name: personName(sender.name), game: gameTitle(game ?? "") })
        : t(name ? "friends.invite.party" : "friends.invite.party.unnamed", { name: personName(sender.name), party: name });
    const details = kind === "table" ? t("friends.invite.players", { players: formatList(players.map(personName)) }) : "";
    const decline = () => request("DELETE", `/api/invitations/${id}`);
    const report = html`<report-button .path=${`/api/invitations/${id}/reports`} reason="unwanted" .words=${t("friends.invite.report")}
      @sent=${() => this.#run(id, decline)}></report-button>`;
    return this.#renderCard(
      id,
      sender,
      words,
      details,
      async () => {
        this.unsettled = invitation;
        navigate(await acceptInvitation(invitation));
      },
      decline,
      this.toast ? nothing : report,
    );
  }

  /** @param {Person} person */
  #renderRequest(person) {
    const path = `/api/friends/${person.handle}`;
    const words = t("friends.invite.request", { name: personName(person.name) });
    return this.#renderCard(person.handle, person, words, "", () => request("PUT", path), () => request("DELETE", path));
  }

  get #invitations() {
    const { unsettled } = this;
    const isShown = !unsettled || inbox.invitations.some(({ id }) => id === unsettled.id);
    return isShown ? inbox.invitations : [unsettled, ...inbox.invitations];
  }

  render() {
    if (!hasTranslation("friends.invite.accept")) return nothing;
    const path = location.pathname.slice(BASE.length) || "/";
    if (this.toast && OWN_PLACE.test(path)) return nothing;
    const shown = (/** @type {string} */ at) => !this.toast || !later.has(at);
    const atParty = this.toast && path.startsWith("/party/"); // its page shows the table that is open
    const cards = [
      ...this.#invitations.filter(({ id, kind }) => shown(id) && !(atParty && kind === "table")).map((invitation) => this.#renderInvitation(invitation)),
      ...inbox.requests.filter(({ handle }) => shown(handle)).map((friendRequest) => this.#renderRequest(friendRequest)),
    ];
    if (!cards.length) return nothing;
    return html`<ul class="tight" role="list" aria-label=${t("friends.invite.received")} aria-live="polite">${this.toast ? cards[0] : cards}</ul>`;
  }
}
customElements.define("inbox-cards", InboxCards);
