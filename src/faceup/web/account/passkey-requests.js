import { isOutcomeUnknown, request } from "../api/http.js";

/** Return whether passkeys are available. Browsers do not offer them on plain HTTP or at an IP address. */
export function passkeysAvailable() {
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

/** Serialize a credential for the server; older browsers lack `toJSON`. @param {any} credential */
function serializeCredential(credential) {
  if (credential.toJSON) return credential.toJSON();
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const answer = Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, text(response[part])]));
  return {
    id: credential.id, rawId: text(credential.rawId), type: credential.type, response: answer,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

/** Requests with an unknown outcome, by path. They are sent again, because a credential can be used once. @type {Map<string, object>} */
const unsettled = new Map();

/**
 * Send a credential.
 *
 * @param {string} path
 * @param {() => Promise<object | null>} make returns the request with a new credential; null if the user cancels
 */
async function sendCredential(path, make) {
  const body = unsettled.get(path) ?? (await make());
  if (!body) return null;
  unsettled.set(path, body);
  try {
    const answer = await request("POST", path, body);
    unsettled.delete(path);
    return answer;
  } catch (error) {
    if (!isOutcomeUnknown(error)) unsettled.delete(path);
    throw error;
  }
}

/** Create a passkey for the current player; return null if the user cancels. @param {string} label */
export function createPasskey(label, consent = {}) {
  return sendCredential("/api/passkeys", () => newCredential(label, consent));
}

/** @param {string} label @param {{consent?: boolean}} consent */
async function newCredential(label, consent) {
  const options = await request("POST", "/api/passkeys/options");
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((/** @type {any} */ credential) => ({ ...credential, id: bytes(credential.id) })),
  };
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null);
  return credential && { credential: serializeCredential(credential), label, ...consent };
}

/** Log in with a passkey; return null if the user cancels. */
export function logInWithPasskey() {
  return sendCredential("/api/login/passkey", knownCredential);
}

async function knownCredential() {
  const options = await request("POST", "/api/login/passkey/options");
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((/** @type {any} */ credential) => ({ ...credential, id: bytes(credential.id) })),
  };
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  return credential && { credential: serializeCredential(credential) };
}
