import { ApiError, request } from "../api/http.js";

/**
 * Go to the server's OpenID provider, which then sends the browser back to the account page.
 *
 * @param {string} path of the request that starts the login
 * @param {object} [body]
 */
export async function startOpenId(path, body) {
  location.assign((await request("POST", path, body)).url);
}

/** Return the error of a login at the provider, and remove it from the address; null for none. */
export function takeOpenIdError() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const kind = fields.get("openid");
  if (!kind) return null;
  history.replaceState(history.state, "", location.pathname);
  const number = (/** @type {string} */ name) => Number(fields.get(name)) || undefined;
  return new ApiError({ kind, message: kind, retry_after: number("retry_after"), until: number("until") });
}
