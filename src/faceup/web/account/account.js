import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { chosenName, normalizeName, savedName, serverInfo } from "../api/server-info.js";
import { SITE } from "../api/site.js";
import { logInWithPasskey, createPasskey, passkeysAvailable } from "./passkey-requests.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import "../ui/face-picker.js";
import { icon } from "../ui/icons.js";
import "./player-results.js";
import { showHeading } from "../ui/show-heading.js";
import { narrowStyles, baseStyles, formStyles } from "../ui/styles.js";
import { switchStyles } from "../ui/switch-styles.js";
import "../ui/top-bar.js";
import "../ui/turn-notices.js";
import "./account-data.js";
import { withFreshLogin } from "./fresh-login.js";
import "./mail-address.js";
import "./openid-link.js";
import { startOpenId, takeOpenIdError } from "./openid.js";
import { formatTime } from "../i18n/format.js";
import { errorMessage, needsSecondFactor } from "../i18n/errors.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import "./player-statistics.js";
import "./research-consent.js";
import { secondFactorField } from "./second-factor-field.js";
import "./second-factor.js";

/** @import { Code, Passkey, Results, Session, Token } from "../api/http-types.js" */

/** Account page: profile, results, login methods and devices; for accounts, API tokens. */
export class AccountPage extends LitElement {
  static properties = {
    results: { state: true },
    sessions: { state: true },
    tokens: { state: true },
    passkeys: { state: true },
    made: { state: true },
    code: { state: true },
    codes: { state: true },
    second: { state: true },
    recovering: { state: true },
    error: { state: true },
    at: { state: true },
    busy: { state: true },
    asked: { state: true },
  };
  static styles = [
    baseStyles,
    formStyles,
    switchStyles,
    css`
      .between {
        align-items: center;
        justify-content: space-between;
      }
      .all {
        max-width: 64rem;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-5);
      }
      h1 {
        unicode-bidi: isolate;
      }
      .results {
        display: grid;
        gap: var(--space-3);
      }
      player-statistics {
        margin-top: var(--space-4);
      }
      .grid {
        columns: 2 22rem;
        column-gap: var(--space-4);
      }
      .grid .panel {
        break-inside: avoid;
        margin-bottom: var(--space-4);
      }
      mail-address,
      research-consent,
      account-data {
        break-inside: avoid;
        margin-bottom: var(--space-4);
      }
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-3);
        padding: var(--space-5);
      }
      h2.part {
        margin-bottom: var(--space-3);
      }
      .tools .panel {
        margin-top: var(--space-2);
      }
      .row input {
        flex: 1 1 8rem;
      }
      .apart {
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
        padding: var(--space-2) var(--space-3);
        -webkit-user-select: all;
        user-select: all;
      }
      .big {
        font: 800 var(--text-4) / 1.2 var(--figures);
        letter-spacing: 0.12em;
        text-align: center;
      }
    `,
    narrowStyles,
  ];

  /** The guest who is creating an account, after an attempt that failed. @type {import("../api/http-types.js").Me | null} */
  #guest = null;
  /** The handle of the player whose page is shown; "" for none, null at first. @type {string | null} */
  #handle = null;

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
    /** @type {Code | null} */
    this.code = null;
    /** @type {string[]} */
    this.codes = [];
    this.second = this.recovering = false;
    this.error = "";
    this.at = "";
    this.busy = false;
    this.asked = false;
    const error = takeOpenIdError();
    if (error) {
      this.at = "all";
      this.error = errorMessage(error, "openid");
    }
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.account_link"));
    void loadGames().catch(() => {});
    void this.#load();
  }

  /** Show the top of the page to a player who has just logged in or out, in whichever panel, unless there are codes to save. */
  updated() {
    const handle = this.asked ? (serverInfo.player?.handle ?? "") : null;
    if (this.#handle !== null && handle !== this.#handle && !this.codes.length) showHeading(this.renderRoot.querySelector("h1"));
    this.#handle = handle;
  }

  async #load() {
    await serverInfo.refresh();
    this.asked = true;
    if (!serverInfo.player) {
      this.results = null;
      return;
    }
    const paths = ["/api/me/results", "/api/sessions", "/api/tokens", "/api/passkeys"];
    try {
      [this.results, this.sessions, this.tokens, this.passkeys] = await Promise.all(paths.map((path) => request("GET", path)));
    } catch (error) {
      this.at = "all";
      this.error = errorMessage(error);
    }
  }

  /**
   * Run a request unless another one is running, and show its error in the form.
   *
   * @param {string} at
   * @param {() => Promise<unknown>} work
   */
  async #run(at, work) {
    if (this.busy) return;
    this.busy = true;
    this.at = at;
    this.error = "";
    try {
      await withFreshLogin(work);
      this.second = false;
    } catch (error) {
      this.second ||= needsSecondFactor(error);
      this.error = errorMessage(error, at);
    } finally {
      this.busy = false;
    }
    if (!this.error) await this.#load();
  }

  /** Send a request that returns the logged-in player. @param {string} at @param {string} path @param {object} body */
  #postAndLogIn(at, path, body) {
    return this.#run(at, async () => serverInfo.setPlayer(await request("POST", path, body)));
  }

  /** Return the fields of a form by name. @param {Event} event @returns {any} */
  #fields(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    return { form, ...Object.fromEntries(/** @type {any} */ (new FormData(form))) };
  }

  /** @param {Event} event */
  #rename(event) {
    const { name } = this.#fields(event);
    return this.#run("name", async () => serverInfo.setPlayer(await request("PATCH", "/api/me", { name: normalizeName(name) })));
  }

  /** @param {Event} event */
  #setListed(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    return this.#run("listed", async () => {
      try {
        serverInfo.setPlayer(await request("PATCH", "/api/me", { listed: box.checked }));
      } finally {
        box.checked = serverInfo.player?.listed ?? true;
      }
    });
  }

  /** Make the visitor a guest; an account is made from one. @param {string} name @param {string} code of the server */
  async #arrive(name, code) {
    if (serverInfo.player) return;
    this.#guest ??= await request("POST", "/api/session", { ...(name ? { name } : {}), ...(code ? { code } : {}) });
  }

  /** Create a guest with the fields of the form for an account. @param {Event} event */
  #createGuest(event) {
    const form = /** @type {HTMLButtonElement} */ (event.target).form;
    const { name, code = "" } = /** @type {any} */ (Object.fromEntries(new FormData(form ?? undefined)));
    return this.#run("arrive", async () => {
      await this.#arrive(normalizeName(name), code);
      serverInfo.setPlayer(this.#guest);
    });
  }

  /** @param {Event} event */
  #createAccount(event) {
    const { name, code = "", login, password } = this.#fields(event);
    return this.#run("account", async () => {
      const shown = normalizeName(name ?? "") || normalizeName(login);
      await this.#arrive(shown, code);
      const { recovery_codes: codes, ...you } = await request("POST", "/api/account", { login, password, ...this.#consent });
      this.codes = codes;
      serverInfo.setPlayer(you);
      const renamed = this.#guest && name !== undefined && you.name !== shown;
      if (renamed || !chosenName(you.name)) serverInfo.setPlayer(await request("PATCH", "/api/me", { name: shown }));
    });
  }

  /** @param {Event} event */
  #logIn(event) {
    const { form: _, ...fields } = this.#fields(event);
    return this.#postAndLogIn("login", "/api/login", fields);
  }

  /** @param {Event} event */
  #recover(event) {
    const { form: _, ...fields } = this.#fields(event);
    return this.#postAndLogIn("recover", "/api/account/recover", fields);
  }

  /** @param {Event} event */
  #changePassword(event) {
    const { form, old, fresh } = this.#fields(event);
    return this.#run("change", async () => {
      await request("POST", "/api/account/password", { old, new: fresh });
      form.reset();
    });
  }

  /** @param {Event} event */
  #claimCode(event) {
    const { code } = this.#fields(event);
    return this.#postAndLogIn("claim", "/api/device/claim", { code });
  }

  /** @param {Event} event */
  #createToken(event) {
    const { form, label } = this.#fields(event);
    return this.#run("token", async () => {
      this.made = await request("POST", "/api/tokens", { label });
      form.reset();
    });
  }

  #logOut() {
    if (serverInfo.player?.guest && !confirm(t("shell.logout.confirm"))) return;
    return this.#run("leave", async () => {
      await request("DELETE", "/api/session");
      this.#guest = null;
      serverInfo.setPlayer(null);
      this.made = this.code = null;
      this.codes = [];
    });
  }

  /** Add a passkey; the first one makes an account. @param {Event} event */
  #addPasskey(event) {
    const form = /** @type {HTMLButtonElement} */ (event.target).form;
    const { name = "", code = "" } = /** @type {any} */ (Object.fromEntries(new FormData(form ?? undefined)));
    return this.#run("passkeys", async () => {
      await this.#arrive(normalizeName(name), code);
      const added = await createPasskey(device(), this.#consent);
      if (added?.recovery_codes.length) this.codes = added.recovery_codes;
    });
  }

  #logInWithPasskey() {
    return this.#run("passkey", async () => {
      const you = await logInWithPasskey();
      if (you) serverInfo.setPlayer(you);
    });
  }

  /** The login at the server's OpenID provider, if it has one. */
  #renderOpenId(at = "openid") {
    if (!SITE.openid) return nothing;
    const logIn = () => this.#run(at, () => startOpenId("/api/login/openid", this.#consent));
    return html`<div><button type="button" ?disabled=${this.busy} @click=${logIn}>${t("shell.openid.login", { name: SITE.openid })}</button></div>
      ${this.#renderError(at)}`;
  }

  #renderError(/** @type {string} */ at) {
    return this.at === at && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing;
  }

  #renderNameField(/** @type {string} */ value) {
    return html`<input name="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${value} placeholder=${t("shell.name.placeholder")} aria-label=${t("shell.name.yours")}>`;
  }

  #renderLoginField() {
    return html`<label class="field">${t("shell.login.name")}<input name="login" autocomplete="username" required maxlength="40" spellcheck="false" autocapitalize="off"></label>`;
  }

  #renderCredentials() {
    return html`${this.#renderLoginField()}
      <label class="field">${t("shell.password.new")}<input name="password" type="password" autocomplete="new-password" minlength="8" required maxlength="200"></label>
      ${needsConsent ? html`<label class="switch"><input type="checkbox" name="accepted" required><span>${this.#renderConsent()}</span></label>` : nothing}`;
  }

  /** What the player accepts with a new account, for requests; nothing if the server does not ask. */
  get #consent() {
    if (!needsConsent) return {};
    const box = /** @type {HTMLInputElement | null} */ (this.renderRoot.querySelector("input[name=accepted]"));
    return { consent: box?.checked ?? false };
  }

  #renderConsent() {
    const [before, after] = t("shell.consent.terms", { link: "\n" }).split("\n");
    return html`${SITE.age ? t("shell.consent.age", { count: SITE.age }) : nothing}
      ${SITE.terms ? html`${before}<a href=${SITE.terms} target="_blank">${t("shell.consent.link")}</a>${after}` : nothing}`;
  }

  #renderLoggedOut() {
    return html`
      <section class="panel">
        <h2>${t("shell.account.create")}</h2>
        <p class="soft">${serverInfo.registration === "closed" ? t("errors.forbidden.arrive") : t("shell.account.hint")}</p>
        <form @submit=${this.#createAccount}>
          ${serverInfo.registration === "code" ? html`<label class="field">${t("shell.guest.server_code")}<input name="code" required maxlength="200"></label>` : nothing}
          <label class="field">${t("shell.name.yours")}${this.#renderNameField(savedName())}</label>
          ${this.#renderCredentials()}
          <div class="row"><button class="main" ?disabled=${this.busy}>${t("shell.account.create")}</button>
            ${passkeysAvailable() ? html`<button type="button" ?disabled=${this.busy} @click=${this.#addPasskey}>${t("shell.account.create.passkey")}</button>` : nothing}</div>
          ${this.#renderError("account")}${this.#renderError("passkeys")}${this.#renderOpenId()}
          <p class="soft small">${t("shell.guest.hint")}</p>
          <div><button type="button" class="quiet" ?disabled=${this.busy} @click=${this.#createGuest}>${t("shell.guest")}</button></div>
        </form>
        ${this.#renderError("arrive")}
      </section>
      ${this.#renderClaim()}`;
  }

  #renderClaim() {
    return html`<section class="panel">
        <h2>${t("shell.login")}</h2>
        <form @submit=${this.#logIn}>
          ${this.#renderLoginField()}
          <label class="field">${t("shell.login.password")}<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
          ${this.second && this.at === "login" ? secondFactorField() : nothing}
          <div class="row"><button ?disabled=${this.busy}>${t("shell.login")}</button>
            ${passkeysAvailable() ? html`<button type="button" ?disabled=${this.busy} @click=${this.#logInWithPasskey}>${t("shell.login.passkey")}</button>` : nothing}</div>
        </form>
        ${this.#renderError("login")}${this.#renderError("passkey")}${this.#renderOpenId("openid login")}
        <details @toggle=${(/** @type {Event} */ event) => { this.recovering = /** @type {HTMLDetailsElement} */ (event.target).open; }}>
          <summary>${t("shell.recover")}</summary>
          ${this.recovering ? html`<form @submit=${this.#recover}>
            <p class="soft">${t("shell.recover.hint")}</p>
            ${this.#renderLoginField()}
            <label class="field">${t("shell.recover.code")}<input name="code" required maxlength="40" autocapitalize="characters" autocomplete="off" spellcheck="false"></label>
            <label class="field">${t("shell.password.new")}<input name="new" type="password" autocomplete="new-password" minlength="8" required maxlength="200"></label>
            ${this.second && this.at === "recover" ? secondFactorField() : nothing}
            <div><button ?disabled=${this.busy}>${t("shell.recover.submit")}</button></div>
          </form>` : nothing}</details>${this.#renderError("recover")}
      </section>
      <section class="panel">
        <h2>${t("shell.claim")}</h2>
        <p class="soft">${t("shell.claim.hint")}</p>
        <form @submit=${this.#claimCode}><div class="row">
          <input name="code" required maxlength="20" autocapitalize="characters" autocomplete="one-time-code" spellcheck="false" aria-label=${t("shell.claim.code")} placeholder="ABCD 2345">
          <button ?disabled=${this.busy}>${t("shell.claim.submit")}</button></div></form>
        ${this.#renderError("claim")}
      </section>`;
  }

  /** @param {import("../api/http-types.js").Me} you */
  #renderProfile(you) {
    return html`<section class="panel">
      <h2>${t("shell.profile")}</h2>
      <form @submit=${this.#rename}><div class="row"><face-picker></face-picker>${this.#renderNameField(chosenName(you.name))}<button ?disabled=${this.busy}>${t("shell.save")}</button></div></form>
      <p class="soft small">${t("shell.name.hint")}</p>
      ${this.#renderError("name")}
      <label class="switch"><input type="checkbox" .checked=${you.listed} @change=${this.#setListed}><span>${t("shell.listed")}<small>${t("shell.listed.hint")}</small></span></label>
      ${this.#renderError("listed")}
    </section>`;
  }

  #renderLoginMethods() {
    const you = serverInfo.player;
    return html`<section class="panel">
      <h2>${you?.guest ? t("shell.account") : t("shell.login_methods")}</h2>
      <p class="soft">${you?.guest ? t("shell.account.hint") : you?.login ? t("shell.account.login", { login: you.login }) : t(this.passkeys.length ? "shell.account.passkey_only" : "shell.account.openid_only", { name: SITE.openid ?? "OpenID" })}</p>
      ${you?.login
        ? html`<details><summary>${t("shell.password.change")}</summary>
            <form @submit=${this.#changePassword}>
              <label class="field">${t("shell.password.current")}<input name="old" type="password" autocomplete="current-password" required maxlength="200"></label>
              <label class="field">${t("shell.password.new")}<input name="fresh" type="password" autocomplete="new-password" minlength="8" required maxlength="200"></label>
              <div><button ?disabled=${this.busy}>${t("shell.save")}</button></div>
            </form></details>${this.#renderError("change")}
`
        : you?.guest
          ? html`<form @submit=${this.#createAccount}>${this.#renderCredentials()}
              <div><button class="main" ?disabled=${this.busy}>${t("shell.account.create")}</button></div>
            ${this.#renderOpenId()}</form>${this.#renderError("account")}`
          : html`<details><summary>${t("shell.password.add")}</summary>
              <form @submit=${this.#createAccount}>${this.#renderCredentials()}<div><button ?disabled=${this.busy}>${t("shell.save")}</button></div></form>
            </details>${this.#renderError("account")}`}
      ${(you && !you.guest) || this.codes.length ? html`<second-factor .codes=${this.codes} @saved=${() => { this.codes = []; }} @changed=${() => void this.#load()}></second-factor>` : nothing}
      ${this.passkeys.length
        ? html`<ul class="tight">${this.passkeys.map((passkey) => html`<li class="apart"><span>${t("shell.passkey")} · ${passkey.label}<small>${formatTime(passkey.since)}</small></span>
            <button class="quiet" ?disabled=${this.busy} @click=${() => this.#run("passkeys", () => request("DELETE", `/api/passkeys/${passkey.id}`))}>${t("shell.passkey.remove")}</button></li>`)}</ul>`
        : nothing}
      ${passkeysAvailable()
        ? html`<div><button ?disabled=${this.busy} @click=${this.#addPasskey}>${t("shell.passkey.add")}</button></div>`
        : html`<p class="soft small">${t("shell.passkey.unavailable")}</p>`}
      ${this.#renderError("passkeys")}
      ${you?.guest || !SITE.openid ? nothing : html`<openid-link @changed=${() => void this.#load()}></openid-link>`}
    </section>`;
  }

  #renderDevices() {
    return html`<section class="panel">
      <h2>${t("shell.devices")}</h2>
      <p class="soft">${t("shell.device.hint")}</p>
      ${this.code
        ? html`<p class="big" role="status">${this.code.code.slice(0, 4)} ${this.code.code.slice(4)}</p>
            <p class="soft small">${t("shell.device.until", { when: formatTime(this.code.until) })}</p>`
        : html`<div><button ?disabled=${this.busy} @click=${() => this.#run("device", async () => (this.code = await request("POST", "/api/device")))}>${t("shell.device.code")}</button></div>`}
      ${this.#renderError("device")}
      <ul class="tight">${this.sessions.map((session) => html`<li class="apart"><span>${device(session.device)}<small>${session.current ? t("shell.device.this") : formatTime(session.seen)}</small></span>
        ${session.current ? nothing : html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.#run("sessions", () => request("DELETE", `/api/sessions/${session.id}`))}>${t("shell.logout")}</button>`}</li>`)}</ul>
      ${this.#renderError("sessions")}
      <turn-notices></turn-notices>
      <div class="row">
        ${this.sessions.length > 1 ? html`<button ?disabled=${this.busy} @click=${() => this.#run("sessions", () => request("DELETE", "/api/sessions"))}>${t("shell.logout.others")}</button>` : nothing}
        <button ?disabled=${this.busy} @click=${this.#logOut}>${t("shell.logout")}</button>
      </div>
      ${this.#renderError("leave")}
    </section>`;
  }

  #renderTokens() {
    return html`<section class="panel">
      <h2>${t("shell.tokens")}</h2>
      <p class="soft">${t("shell.tokens.hint")}</p>
      <form @submit=${this.#createToken}><div class="row"><input name="label" required maxlength="40" placeholder=${t("shell.tokens.label")} aria-label=${t("shell.tokens.label")}>
        <button ?disabled=${this.busy}>${t("shell.tokens.create")}</button></div></form>
      ${this.made?.key ? html`<p role="status">${t("shell.tokens.shown_once")}</p><code class="sunken">${this.made.key}</code>` : nothing}
      ${this.#renderError("token")}
      ${this.tokens.length ? html`<ul class="tight">${this.tokens.map((token) => html`<li class="apart"><span>${token.label}<small>${formatTime(token.since)}</small></span>
        <button class="quiet" ?disabled=${this.busy} @click=${() => this.#run("token", () => request("DELETE", `/api/tokens/${token.id}`))}>${t("shell.revoke")}</button></li>`)}</ul>` : nothing}
    </section>`;
  }

  render() {
    const you = serverInfo.player;
    return html`<top-bar here="/me"></top-bar>
      <div class="all page-body">
        <header>
          <h1>${you ? personName(you.name) : t("shell.account_link")}</h1>
          ${you ? html`<p class="soft">${you.guest ? t("shell.me.guest") : t("shell.player.since", { when: formatTime(you.since) })}</p>` : nothing}
        </header>
        ${this.#renderError("all")}
        ${!this.asked
          ? nothing
          : you
            ? html`${this.#renderProfile(you)}
                <section class="results" aria-labelledby="results">
                  <div class="row between"><h2 id="results">${t("shell.results")}</h2><a class="button quiet" href="${BASE}/friends">${icon("people")}${t("shell.friends")}</a></div>
                  <player-results limit="5" .results=${this.results}></player-results>
                  <player-statistics></player-statistics>
                </section>
                <section aria-labelledby="security">
                  <h2 class="part" id="security">${t("shell.security")}</h2>
                  <div class="grid">${this.#renderLoginMethods()} ${this.#renderDevices()} <mail-address></mail-address> <research-consent></research-consent> <account-data></account-data> ${you.guest ? this.#renderClaim() : nothing}</div>
                </section>
                ${you.guest ? nothing : html`<details class="tools"><summary>${t("shell.tools")}</summary>${this.#renderTokens()}</details>`}`
            : html`<div class="grid">${this.#renderLoggedOut()}</div>`}
      </div>`;
  }
}
customElements.define("account-page", AccountPage);

/** Whether new accounts must accept terms, or confirm an age. */
const needsConsent = Boolean(SITE.terms || SITE.age);

/** Describe a browser in two words. @param {string} [agent] user agent */
function device(agent = navigator.userAgent) {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? agent.split(/[/ ]/)[0];
  const system = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(agent)?.[0] ?? "";
  const names = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera", "Mac OS X": "Mac" });
  return [names[browser] ?? browser, names[system] ?? system].filter(Boolean).join(" · ") || "?";
}
