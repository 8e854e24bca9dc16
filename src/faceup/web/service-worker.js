/**
 * Service worker of the site. It shows notices that it is the player's turn, and caches nothing.
 *
 * @typedef {{text: string, table: string, site: string}} TurnMessage what the server sends by Web Push
 */

const worker = /** @type {any} */ (self); // the checker of types knows only pages

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => event.waitUntil(open(event.notification)));

/** Show a notice, unless the player looks at the table already. @param {TurnMessage} message */
async function show({ text, table, site }) {
  const address = new URL(`t/${table}`, worker.registration.scope).href;
  const pages = await worker.clients.matchAll({ type: "window" });
  if (pages.some((/** @type {any} */ page) => page.url === address && page.visibilityState === "visible")) return;
  await worker.registration.showNotification(site, { body: text, tag: table, data: address });
}

/** Show the table of a notice, in the page that has it open if there is one. @param {Notification} notification */
async function open(notification) {
  notification.close();
  const pages = await worker.clients.matchAll({ type: "window" });
  const page = pages.find((/** @type {any} */ candidate) => candidate.url === notification.data);
  await (page ? page.focus() : worker.clients.openWindow(notification.data));
}
