/**
 * What the host of the server has set, which the page contains as JSON. Addresses that are not set are missing.
 *
 * @typedef {object} Site
 * @property {string} name the name of the site
 * @property {Record<string, string>} titles the titles of games that the host has chosen
 * @property {string} [imprint] address of the imprint
 * @property {string} [privacy] address of the privacy policy
 * @property {string} [terms] address of the terms, which new accounts must accept
 * @property {number} [age] the age that new accounts must confirm
 * @property {string} [contact] address of the operator, as a URI
 * @property {string} [openid] name of the OpenID provider at which people can log in
 */

/** @type {Site} */
export const SITE = { name: "faceup", titles: {}, ...JSON.parse(document.getElementById("site")?.textContent ?? "{}") };
