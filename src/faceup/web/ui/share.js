/** Sharing through the system's share sheet, and copying, which also works on plain HTTP. */

import { DRAWING_TIME, limitWait } from "../api/http.js";

/**
 * Share a link through the system's share sheet, with a picture where the sheet takes files. Copy the text and the link
 * where there is no share sheet, as on plain HTTP.
 *
 * @param {{title: string, text: string, url?: string, picture?: string | Blob}} what a picture is a PNG or its address
 * @returns {Promise<"shared" | "copied" | "cancelled" | "failed">}
 */
export async function share({ title, text, url, picture }) {
  if ("share" in navigator) {
    const link = { title, text, ...(url && { url }) };
    const files = picture ? await pictureFiles(picture) : [];
    try {
      await navigator.share(files.length ? { ...link, files } : link);
      return "shared";
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return "cancelled";
    }
  }
  return (await copyText(`${text}\n${url ?? ""}`.trim())) ? "copied" : "failed";
}

/**
 * Return the picture as files for the share sheet; none if the sheet takes no files or the picture cannot be loaded.
 *
 * @param {string | Blob} picture
 */
async function pictureFiles(picture) {
  try {
    const blob = typeof picture === "string" ? await fetchPicture(picture) : picture;
    const files = [new File([blob], "faceup.png", { type: "image/png" })];
    return navigator.canShare?.({ files }) ? files : [];
  } catch {
    return [];
  }
}

/**
 * Load a picture.
 *
 * @param {string} address
 * @throws {Error} if there is no picture
 */
export async function fetchPicture(address) {
  const answer = await fetch(address, { signal: limitWait(undefined, DRAWING_TIME) });
  if (!answer.ok) throw new Error(`no picture: ${answer.status}`);
  return answer.blob();
}

/**
 * Copy a text to the clipboard. Return whether this was possible.
 *
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text); // the Clipboard API is unavailable on plain HTTP
  }
}

/**
 * Copy a text by the browser's copy command, which needs a selection in some browsers. The field to select is put into
 * the open modal dialog, because everything outside of it is inert.
 *
 * @param {string} text
 */
function copyByCommand(text) {
  const focused = focusedElement();
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true; // otherwise a phone opens its keyboard
  field.setAttribute("aria-hidden", "true");
  field.style.cssText = "position: fixed; top: 0; opacity: 0; font-size: 16px";
  let copied = false;
  /** @param {ClipboardEvent} event */
  const onCopy = (event) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    copied = event.clipboardData !== null;
  };
  (openModal(document) ?? document.body).append(field);
  document.addEventListener("copy", onCopy, { capture: true });
  field.select();
  const done = document.execCommand("copy");
  document.removeEventListener("copy", onCopy, { capture: true });
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done || copied;
}

/** Return the element with the focus, also in shadow trees. */
function focusedElement() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * Return the modal dialog that is open, also in shadow trees. Of nested dialogs, return the innermost.
 *
 * @param {Document | ShadowRoot} root
 * @returns {Element | null}
 */
function openModal(root) {
  /** @type {Element | null} */
  let innermost = null;
  for (const node of root.querySelectorAll("*")) {
    if (node.matches("dialog:modal")) innermost = node;
    if (node.shadowRoot) innermost = openModal(node.shadowRoot) ?? innermost;
  }
  return innermost;
}
