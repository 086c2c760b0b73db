import type { ContainerRef } from '../operations/container.js';
import { escapeAttribute, escapeText } from './escape-text.js';
import type { ReferenceLink } from './reference-source.js';
import type { Candidate, Rendered } from './reference-syntax.js';
import type { LinkOf } from './resolve-references.js';

/** A reference as a link, with the attributes by which clients of the public API know it. */
function writeLink({ kind, to, link }: Candidate, { href, text, title, data = {} }: ReferenceLink): string {
  const type = to === undefined ? kind : `${kind}_range`;
  const attributes = {
    href,
    class: `gfm gfm-${type}`,
    'data-reference-type': type,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, String(value)])),
    ...(title === undefined ? {} : { title }),
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<a${written.join('')}>${link?.html ?? escapeText(text)}</a>`;
}

/** A text for one viewer: links for the references that the viewer can follow, everything else verbatim. */
export function writeHtml({ html, candidates }: Rendered, container: ContainerRef | null, linkOf: LinkOf): string {
  if (candidates.length === 0) return html[0] ?? '';
  const parts: string[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const link = linkOf(container, candidate);
    parts.push(html[at] ?? '', link ? writeLink(candidate, link) : candidate.html);
  }
  parts.push(html[candidates.length] ?? '');
  return parts.join('');
}
