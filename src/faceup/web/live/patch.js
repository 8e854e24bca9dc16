/**
 * `target` with a JSON merge patch (RFC 7396) applied: null takes a member away. Neither is changed.
 *
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
export function patched(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = patched(result[name], value);
  }
  return result;
}

/** @param {any} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
