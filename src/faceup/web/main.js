import { BASE } from "./api/http.js";
import { serverInfo } from "./api/server-info.js";
import { settings } from "./ui/settings.js";
import { navigate } from "./ui/navigation.js";
import { idle } from "./ui/idle.js";
import { notFound } from "./home/pages.js";
import { PAGES } from "./pages.js";
import { language, loadNamespaces, t, setLanguage, matchLanguage } from "./i18n/translate.js";

/** Milliseconds in which a page must have loaded. */
const LOAD_LIMIT = 30_000;

/** Show the page for the current address. */
async function show() {
  const path = location.pathname.slice(BASE.length) || "/";
  const { address, element, words, load } = PAGES.find((page) => page.address.test(path)) ?? notFound;
  const url = location.href;
  try {
    const late = new Promise((_, fail) => setTimeout(fail, LOAD_LIMIT));
    await Promise.race([late, Promise.all([load(), loadNamespaces(...words)])]);
  } catch {
    return location.href === url ? loadFailed() : undefined;
  }
  if (location.href !== url) return; // the user has navigated since
  const page = /** @type {HTMLElement & {address: object}} */ (document.createElement(element));
  page.address = address.exec(path)?.groups ?? {};
  const before = document.querySelector("main");
  before?.remove();
  document.querySelector(".loading")?.remove();
  const main = document.createElement("main");
  main.append(page);
  document.body.insertBefore(main, document.querySelector("body > site-footer"));
  dispatchEvent(new Event("page"));
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
  for (const element of document.querySelectorAll("main, .loading")) element.remove();
  document.body.append(main);
  main.tabIndex = -1;
  main.focus(); // read by screen readers
  addEventListener("online", () => main.isConnected && location.reload());
}

/** Handle links within the site without a reload. */
addEventListener("click", (event) => {
  const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const path = link.pathname.slice(BASE.length) || "/";
  const internal = link.origin === location.origin && link.pathname.startsWith(BASE) && !link.target && !link.download;
  if (!internal || !PAGES.some((page) => page.address.test(path))) return;
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
const preferredLanguage = () => settings.language || matchLanguage(navigator.languages);
addEventListener("settings", () => preferredLanguage() !== language() && void setLanguage(preferredLanguage()));

await setLanguage(preferredLanguage());
await show();
await idle();
if (!serverInfo.loaded) void serverInfo.refresh();
serverInfo.addEventListener("change", () => void showInbox());
void showInbox();
await import("./ui/announcement-bar.js");
document.body.prepend(document.createElement("announcement-bar"));
document.body.append(document.createElement("site-footer"));
