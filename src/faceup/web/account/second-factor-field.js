import { html } from "../vendor/lit/index.js";
import { t } from "../i18n/translate.js";

/** Return the field for a one-time password or recovery code, with the name `second`. */
export function secondFactorField() {
  return html`<label class="field">${t("shell.second")}<input name="second" autocomplete="one-time-code" required maxlength="40" spellcheck="false" autocapitalize="characters"></label>`;
}
