import { errorMessage } from "../i18n/errors.js";

/**
 * Run the request of an element, unless one is running, so that a double click counts once. The element is `busy`
 * meanwhile; afterwards, `error` is the message of an error, or "".
 *
 * @param {{busy: boolean, error: string}} element
 * @param {() => Promise<unknown>} work
 * @param {string | ((error: unknown) => string)} [about] context of the error message
 */
export async function runRequest(element, work, about = "") {
  if (element.busy) return;
  element.busy = true;
  element.error = "";
  try {
    await work();
  } catch (error) {
    element.error = errorMessage(error, typeof about === "string" ? about : about(error));
  } finally {
    element.busy = false;
  }
}
