import { BASE } from "../api/http.js";

/**
 * Navigate within the site without a reload.
 *
 * @param {string} path below the base path: "/t/ID"
 * @param {{replace?: boolean}} [how] with `replace`, Back does not return to this page, because it would lead here again
 */
export function navigate(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", BASE + path);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}
