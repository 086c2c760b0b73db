/** Names of files that hold Markdown. */
export const MARKDOWN = /\.(?:md|markdown|mkdn?|mdown)$/i;

// Own pattern: file names of pictures that browsers draw whatever type they are sent as.
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i;

/** Whether a file of this name is a picture that pages can show. */
export const isPictureName = (name: string): boolean => PICTURE.test(name);

/** More than this is not drawn: a browser takes long over it. */
const MOST_BYTES = 1024 * 1024;

const getBytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0) ?? 0);

/** The content of a repository file as text; null if it is binary, or too large for a page. */
export function getText(base64: string): string | null {
  const bytes = getBytes(base64);
  if (bytes.length > MOST_BYTES || bytes.includes(0)) return null;
  return new TextDecoder().decode(bytes);
}
