/**
 * Modules that come joined, many in a file: each is made when it is first asked for, and once. What the server puts in
 * the place of `import` and of `import.meta` in a joined module is here.
 *
 * @typedef {Record<string, (use: Use) => any>} Makers by path, what makes the module: its exports, or a promise of them
 *
 * @typedef {object} UseParts
 * @property {(path: string) => string} url where a module has its file
 * @property {(target: string, from: string) => Promise<any>} load a module, as `import()` does in the module `from`
 *
 * @typedef {((path: string) => any) & UseParts} Use a module that is here already
 */

/**
 * @param {string} root the address of all files: `.../static/STAMP/`
 * @param {Makers} makers those that are here from the beginning
 * @returns {Use}
 */
export function loading(root, makers) {
  /** @type {Map<string, any>} */
  const made = new Map();
  /** @type {any} */
  const use = (/** @type {string} */ path) => {
    if (!made.has(path)) made.set(path, makers[path](use));
    return made.get(path);
  };
  use.url = (/** @type {string} */ path) => root + path;
  use.load = async (/** @type {string} */ target, /** @type {string} */ from) => {
    const path = new URL(target, root + from).href.slice(root.length);
    if (!(path in makers)) Object.assign(makers, { ...(await import(`${root}joined/${path}`)).default, ...makers });
    return use(path);
  };
  return use;
}
