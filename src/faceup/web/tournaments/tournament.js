import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { loadGames } from "../api/games.js";
import { BASE } from "../api/http.js";
import { chosenName, savedName, serverInfo } from "../api/server-info.js";
import { asPlayer, face } from "../art/faces.js";
import { TournamentFeed } from "./requests.js";
import { errorMessage } from "../i18n/errors.js";
import { formatCountdown, formatDateTime, formatDuration, formatList } from "../i18n/format.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import "../ui/face-picker.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { navigate } from "../ui/navigation.js";
import { setPageTitle } from "../ui/page-title.js";
import "../ui/podium.js";
import { rankingStyles } from "../ui/ranking-styles.js";
import "../ui/report-button.js";
import { runRequest } from "../ui/run-request.js";
import "../ui/share-table.js";
import { playSound } from "../ui/sounds.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { byePoints, formatPoints, isLong, renderPlayers, renderRound, renderRules, renderStandings, takesPart, tournamentName } from "./tournament-parts.js";
import { tournamentStyles } from "./tournament-styles.js";

/** @import { EntrantView, MyEntry, PublicTournament, TournamentResponse } from "../api/http-types.js" */

/** Milliseconds in which the second tap on a dangerous button must follow. */
const SURE = 4_000;
/** Number of players on the podium. The standings below have all. */
const PODIUM = 3;

/** Page of a tournament, for its host and for everyone else. It takes players to their tables when a round starts. */
export class TournamentPage extends LitElement {
  static properties = {
    address: { attribute: false },
    seen: { state: true },
    round: { state: true },
    whole: { state: true },
    name: { state: true },
    sure: { state: true },
    error: { state: true },
    busy: { state: true },
  };
  static styles = [baseStyles, rankingStyles, tournamentStyles, narrowStyles];

  /** @type {TournamentFeed | null} */
  #feed = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  constructor() {
    super();
    /** @type {{tournament?: string}} */
    this.address = {};
    /** @type {TournamentResponse | null} */
    this.seen = null;
    /** The round to show the tables of, from 1; 0 is the last one. */
    this.round = 0;
    /** Whether all rows of the standings and all tables are shown. */
    this.whole = false;
    this.name = savedName();
    /** What the next tap on the same button confirms. */
    this.sure = "";
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("tournaments.title"));
    this.#timer = setInterval(() => this.#dueAt && this.requestUpdate(), 1000);
    void serverInfo.refresh();
    void loadGames().then(() => this.requestUpdate(), () => undefined);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    this.#feed?.close();
    this.#feed = null;
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("address") || !this.address.tournament) return;
    this.#feed?.close();
    const feed = (this.#feed = new TournamentFeed(this.address.tournament));
    feed.addEventListener("change", () => feed === this.#feed && this.#changed(feed));
  }

  /** @param {TournamentFeed} feed */
  #changed(feed) {
    const before = this.seen;
    this.seen = feed.seen;
    this.error = feed.error ? errorMessage(feed.error, "tournament") : "";
    if (!feed.seen) return;
    const { tournament, me } = feed.seen;
    setPageTitle(() => tournamentName(tournament.settings.name));
    if (!before) return;
    if (tournament.status !== before.tournament.status) announce(this.#statusText(tournament));
    if (me?.table && me.table !== before.me?.table) {
      playSound("turn");
      navigate(`/t/${me.table}`);
    }
  }

  /** When the countdown ends, in milliseconds since 1970; null without one. */
  get #dueAt() {
    const { next_at, round_ends_at } = this.seen?.tournament ?? {};
    return next_at ?? round_ends_at ?? null;
  }

  /** @param {() => Promise<unknown>} work */
  #try(work) {
    return runRequest(this, work, "tournament");
  }

  /** @param {{command: string, number?: number, round?: number}} command */
  #send(command) {
    return this.#try(async () => this.#feed?.send(command));
  }

  /** Send a command that cannot be undone, at the second tap. @param {{command: string, number?: number}} command */
  #sendIfSure(command) {
    const what = `${command.command} ${command.number ?? ""}`;
    if (this.sure === what) {
      this.sure = "";
      return void this.#send(command);
    }
    this.sure = what;
    setTimeout(() => {
      if (this.sure === what) this.sure = "";
    }, SURE);
  }

  /** @param {Event} event */
  #join(event) {
    event.preventDefault();
    void this.#try(async () => this.#feed?.join(serverInfo.player && this.name === serverInfo.player.name ? "" : this.name));
  }

  /** @param {PublicTournament} tournament */
  #statusText({ status, rounds, settings, next_at }) {
    const round = rounds.length + (status === "playing" ? 0 : 1);
    if (status === "open" && next_at !== null) return t("tournaments.status.starts", { when: formatDateTime(next_at) });
    return t(`tournaments.status.${status}`, { round, rounds: settings.rounds });
  }

  /** @param {PublicTournament} tournament */
  #renderHead(tournament) {
    const { settings, rounds, status, standings, players } = tournament;
    const { game, variant } = settings.table;
    const tables = status === "playing" ? (rounds.at(-1)?.tables ?? []) : [];
    const over = tables.filter(({ places }) => places).length;
    const winners = status === "finished" ? standings.filter(({ place }) => place === 1).map(({ number }) => listedPerson(players[number - 1])) : [];
    return html`<section class="head cluster" aria-labelledby="title">
      <div>
        <p class="kicker small">${[t("tournaments.kicker"), gameTitle(game), variantTitle(game, variant)].join(" · ")}</p>
        <h1 id="title" tabindex="-1">${tournamentName(settings.name)}</h1>
        <p class="now">${[this.#statusText(tournament), tables.length ? t("tournaments.tables_over", { over, count: tables.length }) : ""].filter(Boolean).join(" · ")}</p>
        ${tables.length ? html`<div class="bar" aria-hidden="true"><i .style=${`width: ${(100 * over) / tables.length}%`}></i></div>` : nothing}
        ${this.#renderFacts(tournament)}
        ${winners.length ? html`<p class="now">${t("tournaments.winner", { names: formatList(winners), context: winners.length > 1 ? "shared" : "" })}</p>` : nothing}
      </div>
      ${this.#renderClock(tournament)}
    </section>`;
  }

  /** Render the podium of a tournament that is over. @param {TournamentResponse} seen */
  #renderPodium({ tournament, link }) {
    const { id, status, standings, players, rounds, settings } = tournament;
    if (status !== "finished" || !rounds.length) return nothing;
    const entrants = standings.filter(({ number }) => takesPart(players[number - 1])).map(({ number, place, points }) => {
      const { handle, face: chosen } = players[number - 1];
      return { name: listedPerson(players[number - 1]), handle, face: chosen, place, score: t("tournaments.podium.points", { count: points, points: formatPoints(points) }) };
    });
    const name = tournamentName(settings.name);
    const share = async () => (await import("../ui/share-dialog.js")).shareStandings(`/api/tournaments/${id}/podium.png`, name, t("tournaments.podium.text", { name }), link);
    return html`<standings-podium .entrants=${entrants.slice(0, PODIUM)}><h2>${t("tournaments.podium")}</h2></standings-podium>
      <div class="buttons cluster"><button class="main" @click=${share}>${icon("share")}${t("tournaments.podium.share")}</button></div>`;
  }

  /** Render what a tournament takes: rounds, players at a table and time. @param {PublicTournament} tournament */
  #renderFacts({ status, settings, seats }) {
    if (status === "finished" || status === "cancelled") return nothing;
    const { rounds, round_time, break_time, table } = settings;
    const minutes = (/** @type {number} */ time) => Math.ceil(time / 60_000);
    const facts = [
      t("tournaments.facts.rounds", { count: rounds }),
      t("tournaments.facts.seats", { count: seats }),
      t("tournaments.facts.clock", { seconds: Math.round((table.terms?.clock ?? 0) / 1000) }),
      t("tournaments.facts.round", { minutes: minutes(round_time) }),
      t("tournaments.facts.all", { time: formatDuration(rounds * round_time + (rounds - 1) * break_time) }),
    ];
    return html`<ul class="facts cluster" aria-label=${t("tournaments.facts")}>${facts.map((fact) => html`<li class="chip">${fact}</li>`)}</ul>`;
  }

  /** @param {PublicTournament} tournament */
  #renderClock({ status, rounds }) {
    const due = this.#dueAt;
    if (due === null) return nothing;
    const what = status === "playing" ? "end" : rounds.length ? "round" : "start";
    return html`<p class="clock small" role="timer"><b>${formatCountdown(due - (this.#feed?.now() ?? 0))}</b>
      <span>${t(`tournaments.countdown.${what}`, { round: rounds.length + 1 })}</span></p>`;
  }

  /** @param {TournamentResponse} seen */
  #renderMe({ tournament, me, is_host }) {
    const error = this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing;
    const { status } = tournament;
    if (status === "finished" || status === "cancelled") return error;
    if (!me) {
      if (tournament.can_join && tournament.settings.admission === "account" && (serverInfo.player?.guest ?? true)) {
        return html`<section class="panel me stack"><p>${t("tournaments.needs_account")}</p><a class="button main large" href="${BASE}/me">${t("shell.account")}</a>${error}</section>`;
      }
      if (!tournament.can_join) return is_host ? error : html`<section class="panel me stack"><p>${t("tournaments.closed")}</p>${error}</section>`;
      return html`<section class="panel me stack">
        <form class="cluster" @submit=${this.#join}>
          <label for="name">${t("shell.name.optional")}</label>
          <face-picker></face-picker>
          <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.name} placeholder=${chosenName(serverInfo.player?.name ?? "") || t("shell.name.placeholder")}
            @input=${(/** @type {Event} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value)}>
          <button class="main large" ?disabled=${this.busy}>${t(tournament.settings.admission === "approval" && !is_host ? "tournaments.ask" : "tournaments.join")}</button>
        </form>${error}
      </section>`;
    }
    const row = tournament.standings.find(({ number }) => number === me.number);
    const active = me.status === "active";
    return html`<section class="panel me stack" aria-labelledby="me">
      <h2 id="me">${active ? t("tournaments.me") : t(`tournaments.${me.status}`)}</h2>
      ${row && tournament.rounds.length ? html`<p><b>${t("tournaments.me.place", { place: row.place, points: formatPoints(row.points) })}</b></p>` : nothing}
      ${me.table ? html`<a class="button main large" href="${BASE}/t/${me.table}">${t("tournaments.to_table")}${icon("next")}</a>` : html`<p class="soft" role="status">${this.#advice(tournament, me)}</p>`}
      <div class="buttons cluster">
        ${active || me.status === "removed" || me.status === "waiting" ? nothing : html`<button class="main large" ?disabled=${this.busy} @click=${() => this.#send({ command: "join" })}>${t("tournaments.return")}</button>`}
        ${(active || me.status === "waiting") && !me.table ? html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.#send({ command: "leave" })}>${t("tournaments.leave")}</button>` : nothing}
      </div>${error}
    </section>`;
  }

  /** @param {PublicTournament} tournament @param {MyEntry} me */
  #advice(tournament, me) {
    const { rounds, status } = tournament;
    const last = rounds.at(-1);
    if (me.status !== "active") return t(`tournaments.me.${me.status}`);
    if (status !== "playing" || !last) return t("tournaments.me.open");
    if (last.byes.includes(me.number)) return t("tournaments.me.bye", { points: formatPoints(byePoints(tournament)) });
    return t(last.tables.some(({ seats }) => seats.includes(me.number)) ? "tournaments.me.done" : "tournaments.me.late");
  }

  /** @param {PublicTournament} tournament */
  #renderHost({ status, rounds, players, paused }) {
    if (status === "finished" || status === "cancelled") return nothing;
    const active = players.filter((player) => player.status === "active").length;
    const few = active < 2;
    const next = rounds.length + 1;
    return html`<section class="panel stack" aria-labelledby="host">
      <h2 id="host">${t("tournaments.host")}</h2>
      <div class="buttons cluster">
        ${status === "playing"
          ? nothing
          : html`<button class="main" ?disabled=${this.busy || few} @click=${() => this.#send({ command: "start_round", round: next })}>
              ${rounds.length ? t("tournaments.host.next", { round: next }) : t("tournaments.host.start", { count: active })}</button>`}
        ${status === "open"
          ? nothing
          : paused
            ? html`<button ?disabled=${this.busy} @click=${() => this.#send({ command: "resume" })}>${icon("play")}${t("tournaments.host.resume")}</button>`
            : html`<button ?disabled=${this.busy} @click=${() => this.#send({ command: "pause" })}>${icon("pause")}${t(status === "playing" ? "tournaments.host.pause" : "tournaments.host.pause_now")}</button>`}
        <button class=${this.sure === "end " ? "sure" : "quiet"} ?disabled=${this.busy} @click=${() => this.#sendIfSure({ command: "end" })}>
          ${t(this.sure === "end " ? "tournaments.host.end.confirm" : "tournaments.host.end")}</button>
      </div>
      ${few && status !== "playing" ? html`<p class="soft small">${t("tournaments.host.few")}</p>` : nothing}
    </section>`;
  }

  /** Render the players who wait to be admitted. @param {TournamentResponse} seen */
  #renderWaiting({ waiting, tournament }) {
    if (!waiting.length || tournament.status === "finished" || tournament.status === "cancelled") return nothing;
    return html`<section class="panel stack" aria-labelledby="waiting">
      <h2 id="waiting">${t("tournaments.waiting.title")} <span class="chip">${t("tournaments.players", { count: waiting.length })}</span></h2>
      <ul class="people tight">${waiting.map((player) => html`<li class="aligned sunken">${face(asPlayer(player))}
        <div class="who"><a class="cut" href="${BASE}/players/${player.handle}">${listedPerson(player)}</a></div>
        <button class="main" ?disabled=${this.busy} aria-label=${t("tournaments.admit.name", { name: listedPerson(player) })}
          @click=${() => this.#send({ command: "admit", number: player.number })}>${t("tournaments.admit")}</button>
        ${this.#renderRemove(player)}</li>`)}</ul>
    </section>`;
  }

  /** @param {EntrantView} entrant */
  #renderRemove({ number, name, program, status }) {
    if (status === "removed") return nothing;
    const sure = this.sure === `remove ${number}`;
    const words = t("tournaments.remove", { name: listedPerson({ name, program }) });
    return html`<button class=${sure ? "sure" : "quiet"} aria-label=${words} title=${words} ?disabled=${this.busy}
      @click=${() => this.#sendIfSure({ command: "remove", number })}>${sure ? t("tournaments.remove.confirm") : icon("close", 18)}</button>`;
  }

  /** @param {TournamentResponse} seen */
  #renderStandings({ tournament, me, is_host }) {
    const { players: all, status, rounds } = tournament;
    const players = all.filter(takesPart);
    const leads = is_host && status !== "finished" && status !== "cancelled";
    const tool = leads ? (/** @type {EntrantView} */ entrant) => this.#renderRemove(entrant) : null;
    return html`<section class="panel ranking stack" aria-labelledby="standings">
      <h2 id="standings">${t(rounds.length ? "tournaments.standings" : "tournaments.player.all")} <span class="chip">${t("tournaments.players", { count: players.length })}</span></h2>
      ${players.length ? (rounds.length ? renderStandings(tournament, me?.number, tool, this.whole) : renderPlayers(tournament, me?.number, tool)) : html`<p class="soft">${t("tournaments.players.none")}</p>`}
      ${rounds.length && isLong(tournament, 1).standings ? this.#renderMore(players.length) : nothing}
    </section>`;
  }

  /** @param {number} count */
  #renderMore(count) {
    return html`<button class="quiet" @click=${() => (this.whole = !this.whole)}>${this.whole ? t("tournaments.less") : t("tournaments.all", { count })}</button>`;
  }

  /** @param {TournamentResponse} seen */
  #renderRounds({ tournament, me }) {
    const { rounds } = tournament;
    if (!rounds.length) return nothing;
    const shown = this.round || rounds.length;
    return html`<section class="panel stack" aria-labelledby="pairings">
      <h2 id="pairings">${t("tournaments.pairings")} · ${t("tournaments.round", { round: shown })}</h2>
      ${rounds.length > 1
        ? html`<div class="rounds cluster" role="group" aria-label=${t("tournaments.rounds")}>${rounds.map((_, index) => html`<button aria-pressed=${shown === index + 1}
            aria-label=${t("tournaments.round", { round: index + 1 })} @click=${() => (this.round = index + 1 === rounds.length ? 0 : index + 1)}>${index + 1}</button>`)}</div>`
        : nothing}
      ${renderRound(tournament, shown, me?.number, this.whole)}
      ${isLong(tournament, shown).tables ? this.#renderMore(rounds[shown - 1].tables.length) : nothing}
    </section>`;
  }

  render() {
    const { seen } = this;
    if (!seen) {
      return html`<top-bar></top-bar><div class="all stack page-body">${this.error ? html`<h1>${t("tournaments.title")}</h1><p class="error" role="alert">${this.error}</p>` : html`<div class="ghost"></div>`}</div>`;
    }
    const { tournament, is_host, link } = seen;
    return html`<top-bar></top-bar>
      <div class="all stack page-body">
        ${this.#renderHead(tournament)}
        ${this.#renderPodium(seen)}
        <div class="columns stack">
          <div class="column stack">
            ${this.#renderMe(seen)}
            ${is_host ? html`${this.#renderWaiting(seen)}${this.#renderHost(tournament)}` : nothing}
            ${this.#renderStandings(seen)}
          </div>
          <div class="column stack">
            ${this.#renderRounds(seen)}
            ${tournament.can_join ? html`<share-table path="tournaments/${tournament.id}" .link=${link} ?television=${new URLSearchParams(location.search).has("television")}></share-table>` : nothing}
            ${renderRules(tournament)}
            ${serverInfo.player && !is_host ? html`<report-button .path=${`/api/tournaments/${tournament.id}/reports`} .words=${t("tournaments.report")}></report-button>` : nothing}
          </div>
        </div>
      </div>`;
  }
}
customElements.define("tournament-page", TournamentPage);
