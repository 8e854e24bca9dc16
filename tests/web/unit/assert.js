/** @param {any} value sorted keys, for comparison */
function canonical(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]));
}

/**
 * Compare two values by their JSON.
 *
 * @param {any} actual
 * @param {any} expected
 * @param {string} [message]
 */
export function equal(actual, expected, message = "") {
  const [one, other] = [actual, expected].map((each) => JSON.stringify(canonical(each)));
  if (one !== other) throw new Error(`${message ? `${message}: ` : ""}${one} is not ${other}`);
}

/**
 * @param {() => unknown} call
 * @param {new (...args: any[]) => Error} type
 */
export function throws(call, type) {
  try {
    call();
  } catch (error) {
    if (error instanceof type) return;
    throw error;
  }
  throw new Error(`no ${type.name} was thrown`);
}
