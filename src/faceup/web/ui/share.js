/**
 * Share a link through the system's share sheet, or copy it where there is none, as on plain HTTP.
 *
 * @param {{title: string, text: string, url: string}} what
 * @returns {Promise<"shared" | "copied" | "cancelled" | "failed">}
 */
export async function share({ title, text, url }) {
  if (!("share" in navigator)) return (await copyText(`${text}\n${url}`.trim())) ? "copied" : "failed";
  try {
    await navigator.share({ title, text, url });
    return "shared";
  } catch {
    return "cancelled";
  }
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
    const field = document.createElement("textarea"); // the Clipboard API is unavailable on plain HTTP
    field.value = text;
    field.style.cssText = "position: fixed; opacity: 0";
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
