/** A piece of text that may lead somewhere. */
export interface TextPiece {
  text: string;
  /** http or https; null for mere text. */
  href: string | null;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{|}\p{Cc}]+/giu;
const AFTER = /[.,:;!?)\]]+$/;
const MAX_ADDRESS = 2000;

function getHref(address: string): string | null {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  // An address with a user may look like one of another host.
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' ? href : null;
}

/** Finds the addresses of the web in a text. */
export function splitLinks(text: string): TextPiece[] {
  if (!text.includes('://')) return [{ text, href: null }];
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const address = found[0].replace(AFTER, '');
    const href = getHref(address);
    if (href === null) continue;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), href: null });
    pieces.push({ text: address, href });
    at = found.index + address.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null });
  return pieces;
}
