import { css, html, nothing } from "../vendor/lit/index.js";
import { loadPeople } from "./requests.js";
import { request } from "../api/http.js";
import { errorMessage } from "../i18n/errors.js";
import { personName } from "../i18n/players.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import { Dialog, dialogStyles } from "../ui/dialogs.js";
import { icon } from "../ui/icons.js";
import { personStyles, renderPerson } from "../ui/person.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";

/** @import { Person } from "../api/http-types.js" */

/** Dialog that invites friends and people from recent games to a table or a party, each with one tap. */
export class InviteDialog extends Dialog {
  static properties = { place: { attribute: false }, people: { state: true }, sent: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    dialogStyles,
    personStyles,
    css`
      .all {
        display: grid;
        gap: var(--space-3);
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{table: string} | {party: string} | null} */
    this.place = null;
    /** The handles of people who need no invitation. @type {string[]} */
    this.without = [];
    /** @type {Person[] | null} */
    this.people = null;
    /** The handles of people who are invited. */
    this.sent = /** @type {Set<string>} */ (new Set());
    this.error = "";
  }

  connectedCallback() {
    super.connectedCallback();
    loadPeople().then(
      ({ friends, received, sent, recent }) => {
        const people = [...friends.sort(online), ...received, ...sent, ...recent];
        this.people = people.filter(({ handle }) => !this.without.includes(handle));
      },
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** @param {Person} person */
  async #invite({ handle }) {
    this.error = "";
    try {
      await request("POST", "/api/invitations", { to: handle, ...this.place });
      this.sent = new Set([...this.sent, handle]);
    } catch (error) {
      this.error = errorMessage(error, "contact");
    }
  }

  /** @param {Person} person */
  #renderPerson(person) {
    const sent = this.sent.has(person.handle);
    const words = t(sent ? "friends.invite.sent" : "friends.invite.send");
    return renderPerson(
      person,
      html`<button class=${sent ? "" : "main"} ?disabled=${sent} aria-label=${t("friends.of", { action: words, name: personName(person.name) })}
        @click=${() => this.#invite(person)}>${sent ? icon("check", 18) : nothing}${words}</button>`,
    );
  }

  render() {
    const { people } = this;
    return this.framed(
      t("friends.invite.title"),
      html`<div class="all">
        <p class="soft">${t(people?.length === 0 ? "friends.invite.none" : "friends.invite.hint")}</p>
        ${people?.length ? html`<ul class="people tight">${people.map((person) => this.#renderPerson(person))}</ul>` : nothing}
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      </div>`,
    );
  }
}
customElements.define("invite-dialog", InviteDialog);

/** Order friends who are online first. @param {Person} first @param {Person} second */
function online(first, second) {
  return Number(second.online ?? false) - Number(first.online ?? false);
}

/**
 * Open the dialog.
 *
 * @param {{table: string} | {party: string}} place
 * @param {(string | undefined)[]} without the handles of people who need no invitation
 */
export async function openInvite(place, without) {
  await loadNamespaces("friends");
  const dialog = /** @type {InviteDialog} */ (document.createElement("invite-dialog"));
  dialog.place = place;
  dialog.without = without.filter((handle) => handle !== undefined);
  document.body.append(dialog);
}
