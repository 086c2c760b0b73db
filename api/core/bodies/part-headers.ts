/** What the head of a part says. */
export interface PartHead {
  name: string;
  /** Null for a field, empty for a browser's file field in which nothing was chosen. */
  filename: string | null;
  mediaType: string;
}

/** `; name="a"`, its quotes escaped or not, and `; name=a`. No character is looked at more than twice. */
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(?!")([^;]*))/g;

function parametersOf(value: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of value.matchAll(PARAMETER))
    found.set(name.toLowerCase(), quoted === undefined ? plain.trim() : quoted.replace(/\\(["\\])/g, '$1'));
  return found;
}

/** As forms of browsers write what no quoted text may hold. */
const unescaped = (text: string) => text.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');

/** `UTF-8''na%C3%AFve.txt` (RFC 5987), which some programs still send. */
function extended(value: string | undefined): string | undefined {
  const encoded = value?.split("'")[2];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Clients of old named a file with its whole path. */
const withoutFolders = (name: string) => name.slice(name.lastIndexOf('\\') + 1);

/** Reads the head of a part; null where it is none of a form (RFC 7578). @param text of a header by its name */
export function readPartHead(text: (header: string) => string): PartHead | null {
  const disposition = text('content-disposition');
  const encoding = text('content-transfer-encoding').trim().toLowerCase();
  if (!/^\s*form-data\b/i.test(disposition) || !['', 'binary', '7bit', '8bit'].includes(encoding)) return null;
  const parameters = parametersOf(disposition);
  const filename = parameters.get('filename') ?? extended(parameters.get('filename*'));
  return {
    name: unescaped(parameters.get('name') ?? ''),
    filename: filename === undefined ? null : withoutFolders(unescaped(filename)),
    mediaType: text('content-type').trim(),
  };
}
