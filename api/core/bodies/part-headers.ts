import { TextDecoder } from 'node:util';

/** What the head of a part says. */
export interface PartHead {
  name: string;
  /** Null for a field, empty for a browser's file field in which nothing was chosen. */
  filename: string | null;
  mediaType: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The end of a quoted text that begins behind `from`, where its quotes may be escaped; -1 without one. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** `form-data; name="a"; filename="b"` as names and values. Each character is looked at once. */
function parametersOf(value: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = value.indexOf(';'); at >= 0;) {
    const equals = value.indexOf('=', at);
    if (equals < 0) break;
    const name = value
      .slice(at + 1, equals)
      .trim()
      .toLowerCase();
    let end: number;
    if (value[equals + 1] === '"') {
      const close = closingQuote(value, equals + 2);
      if (close < 0) break;
      found.set(name, value.slice(equals + 2, close).replace(/\\(["\\])/g, '$1'));
      end = value.indexOf(';', close);
    } else {
      end = value.indexOf(';', equals);
      found.set(name, value.slice(equals + 1, end < 0 ? undefined : end).trim());
    }
    at = end;
  }
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

/** Reads the head of a part; null where it is none of a form (RFC 7578). */
export function readPartHead(bytes: Buffer): PartHead | null {
  const headers = new Map<string, string>();
  for (const line of decoder.decode(bytes).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!/^form-data\b/i.test(disposition) || !['binary', '7bit', '8bit'].includes(encoding)) return null;
  const parameters = parametersOf(disposition);
  const filename = parameters.get('filename') ?? extended(parameters.get('filename*'));
  return {
    name: unescaped(parameters.get('name') ?? ''),
    filename: filename === undefined ? null : withoutFolders(unescaped(filename)),
    mediaType: headers.get('content-type') ?? '',
  };
}
