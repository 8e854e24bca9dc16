import { css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";

/** Styles of a list of people, each with a face, a name and actions. */
export const personStyles = css`
  .people li {
    gap: var(--space-1) var(--space-3);
    min-height: 3.25rem;
    padding: var(--space-1) var(--space-2);
  }
  .portrait {
    position: relative;
    width: 2.5rem;
    height: 2.5rem;
  }
  .portrait i {
    position: absolute;
    inset-inline-end: -2px;
    bottom: -2px;
    width: 0.875rem;
    height: 0.875rem;
    border-radius: 50%;
    background: #2ea65a;
    border: 2px solid var(--sunken);
  }
  .who {
    flex: 1 1 8rem;
    min-width: 0;
  }
  .actions {
    gap: var(--space-1);
    margin-inline-start: auto;
  }
  .actions .quiet {
    padding-inline: var(--space-2);
  }
`;

/**
 * Render the face of a person, with a dot if the person is online.
 *
 * @param {{name: string, handle?: string | null, face?: string | null}} person
 * @param {boolean | null | undefined} online
 */
export function renderPortrait(person, online) {
  return html`<span class="portrait rigid">${face(asPlayer(person))}${online ? html`<i></i>` : nothing}</span>`;
}

/**
 * Render a person of a list.
 *
 * @param {import("../api/http-types.js").Person} person
 * @param {unknown} actions
 */
export function renderPerson(person, actions) {
  const { name, handle, online } = person;
  const state = typeof online === "boolean" ? t(online ? "friends.online" : "friends.offline") : person.guest ? t("friends.guest") : "";
  return html`<li class="cluster aligned sunken">
    ${renderPortrait(person, online)}
    <span class="who"><a class="player block cut" href="${BASE}/players/${handle}">${personName(name)}</a><span class="soft small">${state}</span></span>
    <span class="actions cluster">${actions}</span>
  </li>`;
}
