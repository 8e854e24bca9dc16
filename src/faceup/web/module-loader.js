/**
 * Runtime for bundled modules, which evaluates each module once, on first use. The server's bundler replaces `import`
 * and `import.meta` by calls of this runtime.
 *
 * @typedef {Record<string, (use: Use) => any>} Makers by path, a function that returns a module's exports or a promise
 *
 * @typedef {object} UseParts
 * @property {(path: string) => string} url address of a module's file
 * @property {(target: string, from: string) => Promise<any>} load replacement of `import()` in the module `from`
 *
 * @typedef {((path: string) => any) & UseParts} Use returns a loaded module
 */

/**
 * @param {string} root address of all files: `.../static/BUILD_ID/`
 * @param {Makers} factories modules in the first file
 * @returns {Use}
 */
export function createLoader(root, factories) {
  /** @type {Map<string, any>} */
  const made = new Map();
  /** @type {any} */
  const use = (/** @type {string} */ path) => {
    if (!made.has(path)) made.set(path, factories[path](use));
    return made.get(path);
  };
  use.url = (/** @type {string} */ path) => root + path;
  use.load = async (/** @type {string} */ target, /** @type {string} */ from) => {
    const path = new URL(target, root + from).href.slice(root.length);
    if (!(path in factories)) Object.assign(factories, { ...(await import(`${root}joined/${path}`)).default, ...factories });
    return use(path);
  };
  return use;
}
