import { BASE } from "./live/api.js";
import { house } from "./live/house.js";
import { settings } from "./manners/settings.js";
import { go } from "./pages/go.js";
import "./parts/news-bar.js";
import { language, need, say, speak, spoken } from "./words/say.js";

/**
 * The pages by their addresses behind the base path: what matches is handed to the page's element as `address`.
 *
 * @type {[RegExp, string, () => Promise<unknown>][]}
 */
const PAGES = [
  [/^\/$/, "home-page", () => import("./pages/home.js")],
  [/^\/t\/(?<table>[\w-]+)$/, "table-page", () => import("./pages/table.js")],
  [/^\/t\/(?<table>[\w-]+)\/replay$/, "replay-page", () => Promise.all([import("./pages/replay.js"), need("replay")])],
  [/^\/replay$/, "replay-page", () => Promise.all([import("./pages/replay.js"), need("replay")])],
  [/^\/learn(\/(?<game>\w+))?$/, "learn-page", () => Promise.all([import("./pages/learn.js"), need("learn", "nimmt", "niuniu", "war")])],
  [/^\/ladder$/, "ladder-page", () => import("./pages/ladder.js")],
  [/^\/players\/(?<handle>[^/]+)$/, "player-page", () => import("./pages/player.js")],
  [/^\/new$/, "new-page", () => import("./pages/new.js")],
  [/^\/me$/, "me-page", () => import("./pages/me.js")],
  [/^\/password$/, "password-page", () => import("./pages/password.js")],
];

/** @type {(typeof PAGES)[number]} */
const LOST = [/^\/(?<path>.*)$/, "lost-page", () => import("./pages/lost.js")];

/** Show what belongs at the address. */
async function show() {
  const path = location.pathname.slice(BASE.length) || "/";
  const [address, name, load] = PAGES.find(([each]) => each.test(path)) ?? LOST;
  const here = location.href;
  try {
    await Promise.all([load(), name === "table-page" || need("shell")]);
  } catch {
    return unloaded();
  }
  if (location.href !== here) return; // somebody went on meanwhile
  const page = /** @type {HTMLElement & {address: object}} */ (document.createElement(name));
  page.address = address.exec(path)?.groups ?? {};
  const before = document.querySelector("main");
  before?.remove();
  const main = document.createElement("main");
  main.append(page);
  document.body.append(main);
  if (!before) return;
  main.tabIndex = -1; // whoever goes by keys or by ear goes on at the top of the new page
  main.focus({ preventScroll: true });
}

/** A page that cannot be loaded: the server has newer ones, or is not there. */
async function unloaded() {
  await house.ask();
  if (house.newer) return location.reload();
  const again = document.createElement("button");
  again.textContent = say("manners.again");
  again.onclick = () => location.reload();
  const main = document.createElement("main");
  main.className = "unloaded";
  main.append(say("manners.unloaded"), again);
  document.querySelector("main")?.remove();
  document.body.append(main);
}

/** Links between our own pages do the same. */
addEventListener("click", (event) => {
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const path = link.pathname.slice(BASE.length) || "/";
  const ours = link.origin === location.origin && link.pathname.startsWith(BASE) && !link.target && !link.download;
  if (!ours || !PAGES.some(([address]) => address.test(path))) return;
  event.preventDefault();
  if (link.href !== location.href) go(path + link.search + link.hash);
});
addEventListener("popstate", () => void show());

/** A part that cannot be loaded may be one that a newer server has no more. */
addEventListener("unhandledrejection", () => void house.ask());

/** The language that is set here, else the first of the browser's that there is. */
const wanted = () => settings.language || spoken(navigator.languages);
addEventListener("settings", () => wanted() !== language() && void speak(wanted()));

await speak(wanted());
document.body.prepend(document.createElement("news-bar"));
await show();
void house.ask();
