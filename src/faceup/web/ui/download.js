/** File downloads. */

/** Scale of a rendered image, which makes it sharp on any screen. */
const PIXEL_RATIO = 2;

/**
 * Download a file.
 *
 * @param {string} name
 * @param {Blob} what
 */
export function downloadFile(name, what) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Render an SVG as PNG.
 *
 * @param {Blob} svg
 * @returns {Promise<Blob>}
 */
export async function renderPng(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = PIXEL_RATIO * image.naturalWidth;
    canvas.height = PIXEL_RATIO * image.naturalHeight;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture")))));
  } finally {
    URL.revokeObjectURL(address);
  }
}
