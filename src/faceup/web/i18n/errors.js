import { ApiError } from "../api/http.js";
import { formatDateTime, joinTexts } from "./format.js";
import { hasTranslation, t } from "./translate.js";

/** Errors that have the same message as another error, by their keys. @type {Record<string, string>} */
const SAME_MESSAGE = {
  spectators_off: "no_spectators",
  "malformed.sit": "malformed.name",
  "malformed.reset": "malformed.change",
  "malformed.recover": "malformed.account",
  "unauthenticated.codes": "unauthenticated.change",
  "unauthenticated.totp": "unauthenticated.change",
};

/** Return whether a login needs a code of the second factor, or needs another one. @param {unknown} error */
export function needsSecondFactor(error) {
  return error instanceof ApiError && /second_factor/.test(error.kind);
}

/**
 * Return the message of an error. It is the translation for the error's context, or else for its kind. If there is no
 * translation, it is the server's English message.
 *
 * @param {unknown} error
 * @param {string} [about] context of the request: "code", "login", "sit" ...
 * @returns {string}
 */
export function errorMessage(error, about = "") {
  if (!(error instanceof ApiError)) return t("errors.internal");
  const { kind, where } = error;
  const keys = [`${kind}.${about}`, `${kind}.${where}`, kind].map((key) => `errors.${SAME_MESSAGE[key] ?? key}`);
  const key = keys.find(hasTranslation);
  const { retryAfter, legal, reason, until } = error;
  const when = until && formatDateTime(until);
  const context = [until && "until", reason && "reason"].filter(Boolean).join("_");
  return key ? t(key, { seconds: retryAfter || 1, legal: joinTexts(legal), reason, until: when, context }) : error.message;
}
