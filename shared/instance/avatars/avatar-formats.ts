/** Bytes of an avatar at most. */
export const AVATAR_BYTES = 200 * 1024;

/** An image format, detected by its first bytes: the client's file name and type are not trusted. */
interface Format {
  extension: string;
  mediaType: string;
  begins(bytes: Buffer): boolean;
}

const startsWith =
  (...prefixes: string[]) =>
  (bytes: Buffer) =>
    prefixes.some((prefix) => bytes.subarray(0, prefix.length).equals(Buffer.from(prefix, 'latin1')));

/** No SVG among them: it may hold scripts. */
const FORMATS: readonly Format[] = [
  { extension: 'png', mediaType: 'image/png', begins: startsWith('\x89PNG\r\n\x1a\n') },
  { extension: 'jpg', mediaType: 'image/jpeg', begins: startsWith('\xff\xd8\xff') },
  { extension: 'gif', mediaType: 'image/gif', begins: startsWith('GIF87a', 'GIF89a') },
  { extension: 'bmp', mediaType: 'image/bmp', begins: startsWith('BM') },
  { extension: 'tiff', mediaType: 'image/tiff', begins: startsWith('II*\0', 'MM\0*') },
  { extension: 'ico', mediaType: 'image/vnd.microsoft.icon', begins: startsWith('\0\0\x01\0') },
  {
    extension: 'webp',
    mediaType: 'image/webp',
    begins: (bytes) => startsWith('RIFF')(bytes) && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  },
];

/** The extension for storing an image, or null if browsers would not display it. */
export function getPictureExtension(bytes: Buffer): string | null {
  return FORMATS.find((format) => format.begins(bytes))?.extension ?? null;
}

/** The media type for a stored avatar's extension. */
export function avatarMediaType(extension: string): string | null {
  return FORMATS.find((format) => format.extension === extension)?.mediaType ?? null;
}

/** All formats, for error messages to clients. */
export const MEDIA_TYPES = FORMATS.map(({ mediaType }) => mediaType).join(', ');
