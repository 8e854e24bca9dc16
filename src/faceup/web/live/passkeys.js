import { ask } from "./api.js";

/** Whether the browser has passkeys here: it has none on plain http, nor where the address is a number. */
export function passkeysHere() {
  return isSecureContext && typeof PublicKeyCredential !== "undefined" && !/^[\d.]+$|:/.test(location.hostname);
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer */
function text(buffer) {
  const chars = Array.from(new Uint8Array(buffer ?? new ArrayBuffer(0)), (byte) => String.fromCharCode(byte)).join("");
  return btoa(chars).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** What the browser answers, as the server reads it; older browsers have no `toJSON` of their own. @param {any} credential */
function shown(credential) {
  if (credential.toJSON) return credential.toJSON();
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const answer = Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, text(response[part])]));
  return {
    id: credential.id, rawId: text(credential.rawId), type: credential.type, response: answer,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

/** Make a passkey for who I am; null if the person would not. @param {string} label */
export async function makePasskey(label) {
  const options = await ask("POST", "/api/passkeys/options");
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((/** @type {any} */ each) => ({ ...each, id: bytes(each.id) })),
  };
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null);
  return credential && ask("POST", "/api/passkeys", { credential: shown(credential), label });
}

/** Come in by a passkey; null if the person would not. */
export async function enterByPasskey() {
  const options = await ask("POST", "/api/login/passkey/options");
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((/** @type {any} */ each) => ({ ...each, id: bytes(each.id) })),
  };
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  return credential && ask("POST", "/api/login/passkey", { credential: shown(credential) });
}
