import type { MarkdownIt, Token } from 'markdown-it';

const OPEN = 'footnote_reference_open';
const CLOSE = 'footnote_reference_close';

/** Footnotes that are declared in other ones, moved behind these. */
function unnested(tokens: readonly Token[]): Token[] {
  const flat: Token[] = [];
  const open: Token[][] = [];
  let behind: Token[] = [];
  for (const token of tokens) {
    if (token.type === OPEN) open.push([]);
    (open.at(-1) ?? flat).push(token);
    if (token.type !== CLOSE) continue;
    behind.push(...(open.pop() ?? []));
    if (open.length > 0) continue;
    flat.push(...behind);
    behind = [];
  }
  return flat;
}

/**
 * Takes footnotes out of each other before they are gathered at the end of the text: the rule that gathers them knows of
 * no others inside, and would leave ends of lists and quotes behind that begin nowhere.
 */
export function nestedFootnotes(md: MarkdownIt): void {
  md.core.ruler.before('footnote_tail', 'nested_footnotes', (state) => {
    if ((state.env as { footnotes?: unknown }).footnotes !== undefined) state.tokens = unnested(state.tokens);
  });
}
