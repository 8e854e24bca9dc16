import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ask, newId } from "../live/api.js";
import { games } from "../live/games.js";
import { house, remembered, trimmed } from "../live/house.js";
import { enterByPasskey, makePasskey, passkeysHere } from "../live/passkeys.js";
import { title } from "../manners/title.js";
import "../parts/results.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { when } from "../words/dates.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";

/** @import { Results } from "../parts/results.js" */

/**
 * @typedef {{id: string, device: string, since: number, seen: number, current: boolean}} Session
 * @typedef {{id: string, label: string, scopes: string[], since: number, key?: string | null}} Token
 * @typedef {{id: string, label: string, since: number}} Passkey
 */

/** Who I am here: my name, my ways back in, my devices, programs of mine, and what I have played. */
export class MePage extends LitElement {
  static properties = {
    results: { state: true },
    sessions: { state: true },
    tokens: { state: true },
    passkeys: { state: true },
    made: { state: true },
    code: { state: true },
    said: { state: true },
    at: { state: true },
    busy: { state: true },
    asked: { state: true },
  };
  static styles = [
    sheet,
    css`
      .all {
        max-width: 64rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) var(--space-7);
        display: grid;
        gap: var(--space-5);
      }
      h1 {
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
      .grid {
        columns: 2 22rem;
        column-gap: var(--space-4);
      }
      .grid .panel {
        break-inside: avoid;
        margin-bottom: var(--space-4);
      }
      .panel,
      form {
        display: grid;
        gap: var(--space-3);
      }
      .panel {
        padding: var(--space-5);
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
      .row input {
        flex: 1 1 10rem;
        min-width: 0;
      }
      .field {
        display: grid;
        gap: var(--space-1);
      }
      ul {
        list-style: none;
        display: grid;
        gap: var(--space-2);
      }
      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--space-3);
        min-height: var(--target);
      }
      li span {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      small {
        display: block;
        color: var(--ink-soft);
        font-size: var(--text--1);
      }
      code {
        font-family: ui-monospace, Menlo, Consolas, monospace;
        background: var(--sunken);
        border-radius: var(--radius-small);
        padding: var(--space-2) var(--space-3);
        overflow-wrap: anywhere;
        -webkit-user-select: all;
        user-select: all;
      }
      .big {
        font: 800 var(--text-4) / 1.2 var(--figures);
        letter-spacing: 0.12em;
        text-align: center;
      }
      .said {
        color: var(--danger);
        font-weight: 600;
      }
      summary {
        cursor: pointer;
        min-height: var(--target);
        display: flex;
        align-items: center;
        font-weight: 600;
        color: var(--accent);
      }
    `,
    narrow,
  ];
  #words = () => this.requestUpdate();

  constructor() {
    super();
    /** @type {Results | null} */
    this.results = null;
    /** @type {Session[]} */
    this.sessions = [];
    /** @type {Token[]} */
    this.tokens = [];
    /** @type {Passkey[]} */
    this.passkeys = [];
    /** @type {Token | null} */
    this.made = null;
    /** @type {{code: string, until: number} | null} */
    this.code = null;
    this.said = "";
    this.at = "";
    this.busy = false;
    this.asked = false;
  }

  connectedCallback() {
    super.connectedCallback();
    title(say("shell.me"));
    house.addEventListener("news", this.#words);
    addEventListener("language", this.#words);
    void games().catch(() => {});
    void this.#look();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    house.removeEventListener("news", this.#words);
    removeEventListener("language", this.#words);
  }

  async #look() {
    await house.ask();
    this.asked = true;
    if (!house.you) {
      this.results = null;
      return;
    }
    const paths = ["/api/me/results", "/api/sessions", "/api/tokens", "/api/passkeys"];
    try {
      [this.results, this.sessions, this.tokens, this.passkeys] = await Promise.all(paths.map((path) => ask("GET", path)));
    } catch (error) {
      this.at = "all";
      this.said = refused(error);
    }
  }

  /**
   * Do it, once at a time, and say at its place why not.
   *
   * @param {string} at
   * @param {() => Promise<unknown>} work
   */
  async #do(at, work) {
    if (this.busy) return;
    this.busy = true;
    this.at = at;
    this.said = "";
    try {
      await work();
    } catch (error) {
      this.said = refused(error, at);
    } finally {
      this.busy = false;
    }
    if (!this.said) await this.#look();
  }

  /** What a form has, by the names of its fields. @param {Event} event @returns {any} */
  #fields(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    return { form, ...Object.fromEntries(/** @type {any} */ (new FormData(form))) };
  }

  /** @param {Event} event */
  #rename(event) {
    const { name } = this.#fields(event);
    return this.#do("name", async () => house.is(await ask("PATCH", "/api/me", { name: trimmed(name) })));
  }

  /** @param {Event} event */
  #arrive(event) {
    const { name, code } = this.#fields(event);
    const body = { ...(trimmed(name) ? { name: trimmed(name) } : {}), ...(code ? { code } : {}) };
    return this.#do("arrive", async () => house.is(await ask("POST", "/api/session", body)));
  }

  /** @param {Event} event */
  #account(event) {
    const { login, password } = this.#fields(event);
    return this.#do("account", async () => house.is(await ask("POST", "/api/account", { login, password })));
  }

  /** @param {Event} event */
  #logIn(event) {
    const { login, password } = this.#fields(event);
    return this.#do("login", async () => house.is(await ask("POST", "/api/login", { login, password })));
  }

  /** @param {Event} event */
  #change(event) {
    const { form, old, fresh } = this.#fields(event);
    return this.#do("change", async () => {
      await ask("POST", "/api/account/password", { old, new: fresh });
      form.reset();
    });
  }

  /** @param {Event} event */
  #claim(event) {
    const { code } = this.#fields(event);
    return this.#do("claim", async () => house.is(await ask("POST", "/api/device/claim", { code })));
  }

  /** @param {Event} event */
  #token(event) {
    const { form, label } = this.#fields(event);
    return this.#do("token", async () => {
      this.made = await ask("POST", "/api/tokens", { label, id: newId() });
      form.reset();
    });
  }

  #leave() {
    if (house.you?.guest && !confirm(say("shell.leave.sure"))) return;
    return this.#do("leave", async () => {
      await ask("DELETE", "/api/session");
      house.is(null);
      this.made = this.code = null;
    });
  }

  #keyEnter() {
    return this.#do("passkey", async () => {
      const you = await enterByPasskey();
      if (you) house.is(you);
    });
  }

  #why(/** @type {string} */ at) {
    return this.at === at && this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing;
  }

  #nameField(/** @type {string} */ value) {
    return html`<input name="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${value} placeholder=${say("shell.name.any")} aria-label=${say("shell.name.yours")}>`;
  }

  #login() {
    return html`<label class="field">${say("shell.login.name")}<input name="login" autocomplete="username" required maxlength="40" spellcheck="false" autocapitalize="off"></label>`;
  }

  #strangers() {
    return html`
      <section class="panel">
        <h2>${say("shell.arrive")}</h2>
        <p class="soft">${house.registration === "closed" ? say("refusals.forbidden.arrive") : say("shell.arrive.says")}</p>
        <form @submit=${this.#arrive}>
          <div class="row">${this.#nameField(remembered())}<button class="main" ?disabled=${this.busy}>${say("shell.arrive.do")}</button></div>
          ${house.registration === "code" ? html`<label class="field">${say("shell.arrive.code")}<input name="code" required maxlength="200"></label>` : nothing}
        </form>
        ${this.#why("arrive")}
      </section>
      ${this.#back()}`;
  }

  #back() {
    return html`<section class="panel">
        <h2>${say("shell.login")}</h2>
        <form @submit=${this.#logIn}>
          ${this.#login()}
          <label class="field">${say("shell.login.password")}<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
          <div class="row"><button ?disabled=${this.busy}>${say("shell.login")}</button>
            ${passkeysHere() ? html`<button type="button" ?disabled=${this.busy} @click=${this.#keyEnter}>${say("shell.login.passkey")}</button>` : nothing}</div>
        </form>
        ${this.#why("login")}${this.#why("passkey")}
      </section>
      <section class="panel">
        <h2>${say("shell.claim")}</h2>
        <p class="soft">${say("shell.claim.says")}</p>
        <form @submit=${this.#claim}><div class="row">
          <input name="code" required maxlength="20" autocapitalize="characters" autocomplete="one-time-code" spellcheck="false" aria-label=${say("shell.claim.code")} placeholder="ABCD 2345">
          <button ?disabled=${this.busy}>${say("shell.claim.do")}</button></div></form>
        ${this.#why("claim")}
      </section>`;
  }

  #waysIn() {
    const you = house.you;
    return html`<section class="panel">
      <h2>${you?.guest ? say("shell.account") : say("shell.ways")}</h2>
      <p class="soft">${you?.guest ? say("shell.account.says") : you?.login ? say("shell.account.login", { login: you.login }) : say("shell.account.bypasskey")}</p>
      ${you?.login
        ? html`<details><summary>${say("shell.password.change")}</summary>
            <form @submit=${this.#change}>
              <label class="field">${say("shell.password.old")}<input name="old" type="password" autocomplete="current-password" required maxlength="200"></label>
              <label class="field">${say("shell.password.new")}<input name="fresh" type="password" autocomplete="new-password" minlength="8" required maxlength="200"></label>
              <div><button ?disabled=${this.busy}>${say("shell.password.take")}</button></div>
            </form></details>${this.#why("change")}`
        : html`<form @submit=${this.#account}>
            ${this.#login()}
            <label class="field">${say("shell.password.new")}<input name="password" type="password" autocomplete="new-password" minlength="8" required maxlength="200"></label>
            <div><button class="main" ?disabled=${this.busy}>${say("shell.account.do")}</button></div>
          </form>${this.#why("account")}`}
      ${this.passkeys.length
        ? html`<ul>${this.passkeys.map((each) => html`<li><span>${say("shell.passkey")} · ${each.label}<small>${when(each.since)}</small></span>
            <button class="quiet" ?disabled=${this.busy} @click=${() => this.#do("passkeys", () => ask("DELETE", `/api/passkeys/${each.id}`))}>${say("shell.forget")}</button></li>`)}</ul>`
        : nothing}
      ${passkeysHere()
        ? html`<div><button ?disabled=${this.busy} @click=${() => this.#do("passkeys", () => makePasskey(device()))}>${say("shell.passkey.make")}</button></div>`
        : html`<p class="soft small">${say("shell.passkey.none")}</p>`}
      ${this.#why("passkeys")}
    </section>`;
  }

  #devices() {
    return html`<section class="panel">
      <h2>${say("shell.devices")}</h2>
      <p class="soft">${say("shell.device.says")}</p>
      ${this.code
        ? html`<p class="big" role="status">${this.code.code.slice(0, 4)} ${this.code.code.slice(4)}</p>
            <p class="soft small">${say("shell.device.until", { when: when(this.code.until) })}</p>`
        : html`<div><button ?disabled=${this.busy} @click=${() => this.#do("device", async () => (this.code = await ask("POST", "/api/device")))}>${say("shell.device.code")}</button></div>`}
      ${this.#why("device")}
      <ul>${this.sessions.map((each) => html`<li><span>${device(each.device)}<small>${each.current ? say("shell.device.this") : when(each.seen)}</small></span>
        ${each.current ? nothing : html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.#do("sessions", () => ask("DELETE", `/api/sessions/${each.id}`))}>${say("shell.logout")}</button>`}</li>`)}</ul>
      ${this.#why("sessions")}
      <div class="row">
        ${this.sessions.length > 1 ? html`<button ?disabled=${this.busy} @click=${() => this.#do("sessions", () => ask("DELETE", "/api/sessions"))}>${say("shell.logout.others")}</button>` : nothing}
        <button ?disabled=${this.busy} @click=${this.#leave}>${say("shell.logout")}</button>
      </div>
      ${this.#why("leave")}
    </section>`;
  }

  #programs() {
    return html`<section class="panel">
      <h2>${say("shell.tokens")}</h2>
      <p class="soft">${say("shell.tokens.says")}</p>
      <form @submit=${this.#token}><div class="row"><input name="label" required maxlength="40" placeholder=${say("shell.tokens.label")} aria-label=${say("shell.tokens.label")}>
        <button ?disabled=${this.busy}>${say("shell.tokens.make")}</button></div></form>
      ${this.made?.key ? html`<p role="status">${say("shell.tokens.once")}</p><code>${this.made.key}</code>` : nothing}
      ${this.#why("token")}
      ${this.tokens.length ? html`<ul>${this.tokens.map((each) => html`<li><span>${each.label}<small>${when(each.since)}</small></span>
        <button class="quiet" ?disabled=${this.busy} @click=${() => this.#do("token", () => ask("DELETE", `/api/tokens/${each.id}`))}>${say("shell.revoke")}</button></li>`)}</ul>` : nothing}
    </section>`;
  }

  render() {
    const you = house.you;
    return html`<top-bar here="/me"></top-bar>
      <div class="all">
        <header>
          <h1>${you?.name ?? say("shell.me")}</h1>
          ${you ? html`<p class="soft">${you.guest ? say("shell.me.guest") : say("shell.me.account", { when: when(you.since) })}</p>` : nothing}
        </header>
        ${this.#why("all")}
        ${!this.asked
          ? nothing
          : you
            ? html`<div class="grid">
                  <section class="panel">
                    <h2>${say("shell.name.yours")}</h2>
                    <form @submit=${this.#rename}><div class="row">${this.#nameField(you.name)}<button ?disabled=${this.busy}>${say("shell.name.keep")}</button></div></form>
                    <p class="soft small">${say("shell.name.says")}</p>
                    ${this.#why("name")}
                  </section>
                  ${this.#waysIn()} ${this.#devices()} ${this.#programs()} ${you.guest ? this.#back() : nothing}
                </div>
                <h2>${say("shell.results")}</h2>
                <player-results .results=${this.results}></player-results>`
            : html`<div class="grid">${this.#strangers()}</div>`}
      </div>`;
  }
}
customElements.define("me-page", MePage);

/** A browser in two words, from what it calls itself. @param {string} [agent] */
function device(agent = navigator.userAgent) {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? agent.split(/[/ ]/)[0];
  const system = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(agent)?.[0] ?? "";
  const names = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera", "Mac OS X": "Mac" });
  return [names[browser] ?? browser, names[system] ?? system].filter(Boolean).join(" · ") || "?";
}
