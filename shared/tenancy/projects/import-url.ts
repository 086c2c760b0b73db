import type { Context } from '../../core/context/context.js';
import { outboundProblem } from '../../core/network/outbound.js';

/** Name or password of a URL as the user means it. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const MAX_LENGTH = 2048;

const SCHEMES = ['http', 'https', 'git'];
const PORTS = [80, 443];

/** Rejects low ports, apart from the usual ones: they belong to other network services. */
function portProblem(url: URL): string | null {
  const port = Number(url.port || 0);
  if (port === 0 || port > 1024 || PORTS.includes(port)) return null;
  return `Only allowed ports are ${PORTS.join(', ')}, and any over 1024`;
}

function reasonToBlock(ctx: Context, text: string, schemes: readonly string[]): string | null {
  // The parser passes over blanks and control characters.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return 'URI is invalid';
  const url = new URL(text);
  if (!schemes.includes(url.protocol.slice(0, -1))) return `Only allowed schemes are ${schemes.join(', ')}`;
  if (url.username !== '' && !/^[\p{L}\p{N}_]/u.test(decoded(url.username)))
    return 'Username needs to start with an alphanumeric character';
  return portProblem(url) ?? outboundProblem(ctx, url);
}

/**
 * The problem with a URL to import or mirror from, or null (core-resources.md section 5). Messages and rules are those
 * of the public server: no scheme that reads files, no low ports, no addresses of the local network. SSH, which mirrors
 * support there, is refused: it needs keys, and there are none.
 * @param schemes allowed schemes
 */
export function importUrlProblem(ctx: Context, text: string, schemes: readonly string[] = SCHEMES): string | null {
  if (text.length > MAX_LENGTH) return `is too long (maximum is ${MAX_LENGTH} characters)`;
  const reason = reasonToBlock(ctx, text, schemes);
  return reason === null ? null : `is blocked: ${reason}`;
}
