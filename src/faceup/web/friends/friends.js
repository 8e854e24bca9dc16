import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { inbox, loadPeople } from "./requests.js";
import { BASE, request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { errorMessage } from "../i18n/errors.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import "./inbox-cards.js";
import { setPageTitle } from "../ui/page-title.js";
import { personStyles, renderPerson } from "../ui/person.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import { switchStyles } from "../ui/switch-styles.js";
import "../ui/top-bar.js";

/** @import { People, Person } from "../api/http-types.js" */

/** Who may send the player requests and invitations. */
const CONTACTS = ["met", "friends", "no_one"];

/** Page of the player's friends, of people from recent games, and of blocked people. */
export class FriendsPage extends LitElement {
  static properties = { address: { attribute: false }, people: { state: true }, confirming: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    switchStyles,
    personStyles,
    css`
      .all {
        gap: var(--space-4);
        max-width: 44rem;
      }
      .shows {
        margin-top: var(--space-3);
      }
      .contact {
        flex-wrap: wrap;
      }
      .contact select {
        max-width: 100%;
      }
      ul {
        margin-top: var(--space-3);
      }
    `,
    narrowStyles,
  ];

  /** Number of requests for the people, and the number of the one that is shown. */
  #loads = 0;
  #loaded = 0;

  constructor() {
    super();
    this.address = {};
    /** @type {People | null} */
    this.people = null;
    /** The action that the next tap confirms, with the handle of the person. */
    this.confirming = "";
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, inbox, "change", () => void this.#load());
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("friends.page"));
    void this.#load();
  }

  /** Load the people. An answer that arrives after that of a later request is not shown: nothing would correct it. */
  async #load() {
    const number = ++this.#loads;
    try {
      const people = await loadPeople();
      if (number < this.#loaded) return;
      this.#loaded = number;
      this.people = people;
    } catch (error) {
      if (serverInfo.player) this.error = errorMessage(error);
      else this.people = { friends: [], received: [], sent: [], recent: [], blocked: [], shows_online: false, contact: "met" };
    }
  }

  /** @param {string} method @param {string} path @param {string} [confirm] what the first tap asks to confirm */
  async #send(method, path, confirm = "") {
    if (this.busy) return;
    if (confirm && this.confirming !== confirm) {
      this.confirming = confirm;
      return;
    }
    this.busy = true;
    this.confirming = this.error = "";
    try {
      await request(method, path);
    } catch (error) {
      this.error = errorMessage(error, "contact");
    } finally {
      this.busy = false;
      await Promise.all([this.#load(), inbox.reload().catch(() => undefined)]);
    }
  }

  /** @param {{shows_online?: boolean, contact?: string}} settings */
  async #change(settings) {
    try {
      await request("PATCH", "/api/friends", settings);
    } catch (error) {
      this.error = errorMessage(error);
      this.people = null; // the switch and the list must not keep what the person has chosen
      await this.#load();
    }
  }

  /**
   * @param {Person} person
   * @param {string} action key of the words
   * @param {string} method
   * @param {string} path
   * @param {{main?: boolean, danger?: boolean, confirm?: string}} [how]
   */
  #renderButton(person, action, method, path, { main = false, danger = false, confirm = "" } = {}) {
    const asks = confirm ? `${action} ${person.handle}` : "";
    const words = asks && this.confirming === asks ? t(confirm, { name: personName(person.name) }) : t(action);
    return html`<button class="${main ? "main" : "quiet"} ${danger ? "danger" : ""}" ?disabled=${this.busy} aria-label=${t("friends.of", { action: words, name: personName(person.name) })}
      @click=${() => this.#send(method, `${path}/${person.handle}`, asks)}>${words}</button>`;
  }

  /** @param {Person} person */
  #block = (person) => this.#renderButton(person, "friends.block", "PUT", "/api/blocks", { danger: true, confirm: "friends.block.confirm" });

  /**
   * @param {string} title
   * @param {Person[]} people
   * @param {(person: Person) => unknown} actions
   * @param {string} [none] what to say without people; "" to show nothing
   */
  #renderPeople(title, people, actions, none = "") {
    if (!people.length && !none) return nothing;
    return html`<section class="panel" aria-label=${title}>
      <h2>${title}</h2>
      ${people.length ? html`<ul class="people tight">${people.map((person) => renderPerson(person, actions(person)))}</ul>` : html`<p class="soft">${none}</p>`}
      ${title === t("friends.title") && this.people && serverInfo.player
        ? html`<label class="shows switch apart">${t("friends.shows_online")}<input type="checkbox" role="switch" .checked=${this.people.shows_online} @change=${(/** @type {Event} */ event) => this.#change({ shows_online: /** @type {HTMLInputElement} */ (event.target).checked })}></label>
            <label class="shows contact apart">${t("friends.contact")}<select @change=${(/** @type {Event} */ event) => this.#change({ contact: /** @type {HTMLSelectElement} */ (event.target).value })}>
              ${CONTACTS.map((choice) => html`<option value=${choice} ?selected=${choice === this.people?.contact}>${t(`friends.contact.${choice}.label`)}</option>`)}
            </select></label>`
        : nothing}
    </section>`;
  }

  render() {
    const { people } = this;
    const remove = (/** @type {Person} */ person) => this.#renderButton(person, "friends.remove", "DELETE", "/api/friends", { confirm: "friends.remove.confirm" });
    return html`<top-bar></top-bar>
      <div class="all stack page-body">
        <h1>${t("friends.page")}</h1>
        <inbox-cards></inbox-cards>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        ${people
          ? html`
              ${this.#renderPeople(t("friends.title"), people.friends, (person) => html`${remove(person)}${this.#block(person)}`, t("friends.none"))}
              ${this.#renderPeople(t("friends.sent"), people.sent, (person) => this.#renderButton(person, "friends.withdraw", "DELETE", "/api/friends"))}
              ${this.#renderPeople(
                t("friends.recent"),
                people.recent,
                (person) => html`${this.#renderButton(person, "friends.add", "PUT", "/api/friends", { main: true })}${this.#block(person)}`,
                t("friends.recent.none"),
              )}
              ${this.#renderPeople(t("friends.blocked"), people.blocked, (person) => this.#renderButton(person, "friends.unblock", "DELETE", "/api/blocks"))}
              <p class="small soft">${t("friends.block.hint")}</p>`
          : nothing}
        <a href="${BASE}/">${t("shell.home")}</a>
      </div>`;
  }
}
customElements.define("friends-page", FriendsPage);
