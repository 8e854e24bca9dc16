import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { joinSentences } from "../i18n/format.js";
import { errorMessage } from "../i18n/errors.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../ui/navigation.js";
import { personStyles, renderPortrait } from "../ui/person.js";
import "../ui/report-button.js";
import { baseStyles, formStyles, narrowStyles } from "../ui/styles.js";
import { loadParties } from "./requests.js";

/** @import { MemberView, PartyView } from "../api/http-types.js" */

/** The members of a party and, for its host, the management of the party. Event: "change" after a change. */
export class PartyMembers extends LitElement {
  static properties = { party: { attribute: false }, confirming: { state: true }, error: { state: true }, message: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    personStyles,
    css`
      .head {
        align-items: baseline;
        gap: var(--space-3);
      }
      ul {
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
        margin-top: var(--space-3);
      }
      .absent .face {
        filter: saturate(0.35);
        opacity: 0.75;
      }
      li button {
        flex: none;
        padding: 0 var(--space-1);
      }
      details {
        margin-top: var(--space-3);
      }
      .manage {
        display: grid;
        gap: var(--space-4);
        padding-top: var(--space-2);
      }
      .manage form {
        grid-template-columns: 1fr auto;
        align-items: end;
      }
      .foot {
        gap: var(--space-1);
        margin-top: var(--space-2);
        margin-inline-start: calc(-1 * var(--space-3));
      }
      .message {
        color: var(--good);
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {PartyView | null} */
    this.party = null;
    /** What the next tap on a button confirms: the handle of a member, "leave" or "delete". */
    this.confirming = "";
    this.error = "";
    this.message = "";
    this.busy = false;
    new LanguageController(this);
  }

  get #me() {
    return this.party?.members.find(({ you }) => you);
  }

  /**
   * Run a change. A change that needs a confirmation runs with the second tap.
   *
   * @param {() => Promise<unknown>} work
   * @param {string} [confirm]
   */
  async #run(work, confirm = "") {
    if (this.busy) return;
    this.message = this.error = "";
    if (confirm && this.confirming !== confirm) {
      this.confirming = confirm;
      return;
    }
    this.busy = true;
    this.confirming = "";
    try {
      await work();
      this.dispatchEvent(new Event("change"));
    } catch (error) {
      this.error = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }

  /** Send a request, after which the player is no member any more. @param {string} path @param {string} confirm */
  #end(path, confirm) {
    return this.#run(async () => {
      await request("DELETE", path);
      await loadParties();
      navigate("/", { replace: true }); // the party is not shown to others
    }, confirm);
  }

  /** @param {Event} event */
  #rename(event) {
    event.preventDefault();
    const name = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector("#name")).value;
    return this.#run(() => request("PATCH", this.#path, { name }));
  }

  #renew() {
    return this.#run(async () => {
      await request("POST", `${this.#path}/link`);
      this.message = t("party.renewed");
    });
  }

  get #path() {
    return `/api/parties/${this.party?.id}`;
  }

  /** @param {MemberView} member */
  #renderMember(member) {
    const [name, handle] = [listedPerson(member), member.handle];
    const what = [member.you ? t("party.member.you") : "", member.host ? t("party.member.host") : "", t(member.here ? "party.member.here" : "party.member.away")];
    const sure = this.confirming === handle;
    const remove = sure ? t("party.remove.confirm") : t("party.remove", { name });
    return html`<li class="aligned sunken ${member.here ? "" : "absent"}">
      ${renderPortrait(member, member.here)}
      <span class="who grow"><b class="block cut">${name}</b><span class="soft small">${what.filter(Boolean).join(" · ")}</span></span>
      ${this.#me?.host && !member.you
        ? html`<button class="quiet ${sure ? "danger" : "soft"}" aria-label=${remove} title=${remove} ?disabled=${this.busy}
            @click=${() => this.#run(() => request("DELETE", `${this.#path}/members/${handle}`), handle)}>${sure ? t("party.remove.confirm") : icon("close")}</button>`
        : nothing}
    </li>`;
  }

  #renderManagement() {
    return html`<details>
      <summary>${t("party.settings")}</summary>
      <div class="manage">
        <form @submit=${this.#rename}>
          <div class="field">
            <label for="name">${t("party.name")}</label>
            <input id="name" maxlength="40" autocomplete="off" .value=${this.party?.name ?? ""}>
          </div>
          <button ?disabled=${this.busy}>${t("party.name.save")}</button>
        </form>
        <div>
          <button ?disabled=${this.busy} @click=${this.#renew}>${icon("link")}${t("party.renew")}</button>
          <p class="small soft">${joinSentences(t("party.renew.hint"), t("party.remove.hint"))}</p>
        </div>
      </div>
    </details>`;
  }

  render() {
    const { party } = this;
    if (!party) return nothing;
    const me = this.#me;
    const presentCount = party.members.filter((member) => member.here).length;
    return html`<section class="panel" aria-labelledby="members">
      <div class="head apart"><h2 id="members">${t("party.members")}</h2><span class="soft">${t("party.members.here", { count: presentCount })}</span></div>
      <ul class="people tight">${party.members.map((member) => this.#renderMember(member))}</ul>
      ${me?.host ? this.#renderManagement() : nothing}
      <div class="foot cluster">
        <button class="quiet" ?disabled=${this.busy} @click=${() => this.#end(`${this.#path}/members/${me?.handle}`, "leave")}>${icon("leave")}${t(this.confirming === "leave" ? "party.leave.confirm" : "party.leave")}</button>
        ${me?.host
          ? html`<button class="quiet danger" ?disabled=${this.busy} @click=${() => this.#end(this.#path, "delete")}>${t(this.confirming === "delete" ? "party.delete.confirm" : "party.delete")}</button>`
          : party.name
            ? html`<report-button .path=${`${this.#path}/reports`} .words=${t("party.report")}></report-button>`
            : nothing}
      </div>
      <p class="message" role="status">${this.message}</p>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
customElements.define("party-members", PartyMembers);
