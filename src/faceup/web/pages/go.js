import { BASE } from "../live/api.js";

/**
 * Go to another page of ours without loading this one anew.
 *
 * @param {string} path behind the base: "/t/ID"
 */
export function go(path) {
  history.pushState(null, "", BASE + path);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}
