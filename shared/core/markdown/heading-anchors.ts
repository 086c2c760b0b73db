import type { MarkdownIt, Token } from 'markdown-it';

/** Prefix of every id in a text, so that none collides with an id of the page itself. */
export const OWN_ID = 'user-content-';

/** Longer slugs are impractical in links. */
const SLUG_LENGTH = 200;

/** The slug of a heading: lower case, hyphens for spaces, otherwise only letters, digits and `_`. */
function getSlug(inline: Token | undefined): string {
  const texts = (inline?.children ?? []).map(({ type, content }) =>
    type === 'text' || type === 'code_inline' ? content : '',
  );
  return texts
    .join('')
    .slice(0, SLUG_LENGTH)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .trim()
    .replace(/ /g, '-');
}

/**
 * Gives every heading an id, and a link to itself after its text. The second heading with the same slug gets `name-1`.
 */
export function headingAnchors(md: MarkdownIt): void {
  md.core.ruler.push('heading_anchors', (state) => {
    const counts = new Map<string, number>();
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const inline = state.tokens[at + 1];
      const slug = getSlug(inline);
      if (slug === '') continue;
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      const name = count === 0 ? slug : `${slug}-${count}`;
      token.attrSet('id', OWN_ID + name);
      const anchor = new state.Token('heading_anchor', 'a', 0);
      anchor.content = name;
      inline?.children?.push(anchor);
    }
  });
  md.renderer.rules.heading_anchor = (tokens, index) =>
    `<a class="anchor" href="#${OWN_ID}${md.utils.escapeHtml(tokens[index]?.content ?? '')}" aria-hidden="true"></a>`;
}
