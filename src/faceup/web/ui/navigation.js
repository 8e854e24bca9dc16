import { BASE } from "../api/http.js";

/**
 * Navigate within the site without a reload.
 *
 * @param {string} path below the base path: "/t/ID"
 */
export function navigate(path) {
  history.pushState(null, "", BASE + path);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}
