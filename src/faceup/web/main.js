import { BASE } from "./api/http.js";
import { serverInfo } from "./api/server-info.js";
import { settings } from "./ui/settings.js";
import { navigate } from "./ui/navigation.js";
import { idle } from "./ui/idle.js";
import { language, loadNamespaces, t, setLanguage, matchLanguage } from "./i18n/translate.js";

/**
 * The routes of the site, as pattern, element and module. The element gets the named groups of the pattern as
 * `address`.
 *
 * @type {[RegExp, string, () => Promise<unknown>][]}
 */
const PAGES = [
  [/^\/$/, "home-page", () => Promise.all([import("./home/home.js"), loadNamespaces("party")])],
  [/^\/t\/(?<table>[\w-]+)$/, "table-page", () => import("./table/table-page.js")],
  [/^\/t\/(?<table>[\w-]+)\/replay$/, "replay-page", () => Promise.all([import("./replays/replay.js"), loadNamespaces("replay")])],
  [/^\/replay$/, "replay-page", () => Promise.all([import("./replays/replay.js"), loadNamespaces("replay")])],
  [/^\/learn(\/(?<game>\w+))?$/, "learn-page", () => Promise.all([import("./learn/learn.js"), loadNamespaces("learn", "nimmt", "niuniu", "war")])],
  [/^\/daily(\/(?<date>\d{4}-\d\d-\d\d))?$/, "daily-page", () => Promise.all([import("./daily/daily.js"), loadNamespaces("daily")])],
  [/^\/puzzles(\/(?<puzzle>\w+))?$/, "puzzles-page", () => Promise.all([import("./puzzles/puzzles.js"), import("./games/nimmt/nimmt-table.js"), loadNamespaces("puzzles")])],
  [/^\/watch$/, "watch-page", () => Promise.all([import("./watch/watch.js"), loadNamespaces("watch")])],
  [/^\/tournaments$/, "tournaments-page", () => Promise.all([import("./tournaments/tournaments.js"), loadNamespaces("tournaments")])],
  [/^\/tournaments\/(?<tournament>[\w-]+)$/, "tournament-page", () => Promise.all([import("./tournaments/tournament.js"), loadNamespaces("tournaments")])],
  [/^\/party\/join\/(?<key>\w+)$/, "party-join-page", () => Promise.all([import("./parties/party-join.js"), loadNamespaces("party")])],
  [/^\/party\/(?<party>\w+)$/, "party-page", () => Promise.all([import("./parties/party.js"), loadNamespaces("party")])],
  [/^\/friends$/, "friends-page", () => Promise.all([import("./friends/friends.js"), loadNamespaces("friends")])],
  [/^\/ladder$/, "ladder-page", () => import("./ladder/ladder.js")],
  [/^\/players\/(?<handle>[^/]+)$/, "player-page", () => import("./account/player.js")],
  [/^\/new$/, "create-table-page", () => import("./home/create-table.js")],
  [/^\/me$/, "account-page", () => import("./account/account.js")],
  [/^\/password$/, "password-page", () => import("./account/password.js")],
];

/** The pages that need no translations of the namespace "shell". */
const TABLES = new Set(["table-page", "replay-page"]);

/** @type {(typeof PAGES)[number]} */
const NOT_FOUND = [/^\/(?<path>.*)$/, "not-found-page", () => import("./home/not-found.js")];

/** Milliseconds in which a page must have loaded. */
const LOAD_LIMIT = 30_000;

/** Show the page for the current address. */
async function show() {
  const path = location.pathname.slice(BASE.length) || "/";
  const [address, name, load] = PAGES.find(([each]) => each.test(path)) ?? NOT_FOUND;
  const here = location.href;
  try {
    const late = new Promise((_, fail) => setTimeout(fail, LOAD_LIMIT));
    await Promise.race([late, Promise.all([load(), TABLES.has(name) || loadNamespaces("shell")])]);
  } catch {
    return location.href === here ? loadFailed() : undefined;
  }
  if (location.href !== here) return; // the user has navigated since
  const page = /** @type {HTMLElement & {address: object}} */ (document.createElement(name));
  page.address = address.exec(path)?.groups ?? {};
  const before = document.querySelector("main");
  before?.remove();
  document.querySelector(".loading")?.remove();
  const main = document.createElement("main");
  main.append(page);
  document.body.append(main);
  if (!before) return;
  main.tabIndex = -1; // keyboard and screen reader users continue at the top of the new page
  main.focus({ preventScroll: true });
}

/** Show an error, because the page could not be loaded. The server may be newer than this page, or unreachable. */
async function loadFailed() {
  await serverInfo.refresh();
  if (serverInfo.newerBuild) return location.reload();
  const again = document.createElement("button");
  again.textContent = t("ui.retry");
  again.onclick = () => location.reload();
  const main = document.createElement("main");
  main.className = "loadFailed";
  main.append(t("ui.load_failed"), again);
  for (const each of document.querySelectorAll("main, .loading")) each.remove();
  document.body.append(main);
}

/** Handle links within the site without a reload. */
addEventListener("click", (event) => {
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const path = link.pathname.slice(BASE.length) || "/";
  const internal = link.origin === location.origin && link.pathname.startsWith(BASE) && !link.target && !link.download;
  if (!internal || !PAGES.some(([address]) => address.test(path))) return;
  event.preventDefault();
  if (link.href !== location.href) navigate(path + link.search + link.hash);
});
addEventListener("popstate", () => void show());

/** Show invitations above all pages if anyone can send this browser's player some. */
async function showInbox() {
  if (!serverInfo.known || document.querySelector("body > inbox-cards")) return;
  const toast = document.createElement("inbox-cards");
  toast.setAttribute("toast", "");
  document.body.append(toast);
  await import("./friends/inbox-cards.js");
}

/** Refresh the server info if a module fails to load, because a newer server may no longer have the module. */
addEventListener("unhandledrejection", () => void serverInfo.refresh());

/** Return the language of the settings, or else the first language of the browser that is supported. */
const wanted = () => settings.language || matchLanguage(navigator.languages);
addEventListener("settings", () => wanted() !== language() && void setLanguage(wanted()));

await setLanguage(wanted());
await show();
await idle();
void serverInfo.refresh();
serverInfo.addEventListener("change", () => void showInbox());
void showInbox();
await import("./ui/announcement-bar.js");
document.body.prepend(document.createElement("announcement-bar"));
