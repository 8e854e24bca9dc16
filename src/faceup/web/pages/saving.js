/** What leaves the page as a file. */

/** A picture is drawn so many times as large as it says, so that it is sharp on any screen. */
const SHARP = 2;

/**
 * Let the browser save something under a name.
 *
 * @param {string} name
 * @param {Blob} what
 */
export function save(name, what) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * The same picture in dots.
 *
 * @param {Blob} svg
 * @returns {Promise<Blob>}
 */
export async function asPng(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SHARP * image.naturalWidth;
    canvas.height = SHARP * image.naturalHeight;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture")))));
  } finally {
    URL.revokeObjectURL(address);
  }
}
