import { BASE } from "./live/api.js";
import { settings } from "./manners/settings.js";
import { go } from "./pages/go.js";
import { language, speak, spoken } from "./words/say.js";

/**
 * The pages by their addresses behind the base path: what matches is handed to the page's element as `address`.
 *
 * @type {[RegExp, string, () => Promise<unknown>][]}
 */
const PAGES = [
  [/^\/$/, "home-page", () => import("./pages/home.js")],
  [/^\/t\/(?<table>[\w-]+)$/, "table-page", () => import("./pages/table.js")],
  [/^\/t\/(?<table>[\w-]+)\/replay$/, "replay-page", () => import("./pages/replay.js")],
  [/^\/replay$/, "replay-page", () => import("./pages/replay.js")],
  [/^\/learn(\/(?<game>\w+))?$/, "learn-page", () => import("./pages/learn.js")],
  [/^\/ladder$/, "ladder-page", () => import("./pages/ladder.js")],
  [/^\/players\/(?<handle>[^/]+)$/, "player-page", () => import("./pages/player.js")],
  [/^\/me$/, "me-page", () => import("./pages/me.js")],
  [/^\/password$/, "password-page", () => import("./pages/password.js")],
];

/** Show what belongs at the address. */
async function show() {
  const path = location.pathname.slice(BASE.length) || "/";
  const [address, name, load] = PAGES.find(([each]) => each.test(path)) ?? PAGES[0];
  const here = location.href;
  await load();
  if (location.href !== here) return; // somebody went on meanwhile
  const page = /** @type {HTMLElement & {address: object}} */ (document.createElement(name));
  page.address = address.exec(path)?.groups ?? {};
  document.querySelector("main")?.remove();
  const main = document.createElement("main");
  main.append(page);
  document.body.prepend(main);
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

/** The language that is set here, else the first of the browser's that there is. */
const wanted = () => settings.language || spoken(navigator.languages);
addEventListener("settings", () => wanted() !== language && void speak(wanted()));

await speak(wanted());
await show();
