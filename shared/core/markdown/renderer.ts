import { createHash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { AWAY, cleanHtml, leadsAway } from './clean-html.js';
import { escapeText } from './escape-text.js';
import { headingAnchors } from './heading-anchors.js';
import { loneBrackets } from './lone-brackets.js';
import { math } from './math.js';
import { nestedFootnotes } from './nested-footnotes.js';
import { taskItems } from './task-items.js';
import { tokenLimit } from './token-limit.js';

/**
 * GitLab Flavored Markdown without what needs to know who reads it: CommonMark, tables, strikethrough, links that are
 * only written out, task lists, footnotes, formulas, anchors of headings.
 */
const renderer = new MarkdownIt({
  html: true,
  xhtmlOut: true,
  linkify: true,
  typographer: false,
  breaks: false,
  highlight: escapeText,
});
renderer
  .use(footnotes)
  .use(nestedFootnotes)
  .use(taskItems)
  .use(math)
  .use(loneBrackets)
  .use(headingAnchors)
  .use(tokenLimit);
renderer.inline.ruler.disable('footnote_inline');
// A name without a scheme is a file more often than a host: `README.md`.
renderer.linkify.set({ fuzzyLink: false });

const { rules } = renderer.renderer;

const text = (tokens: readonly Token[], index: number) => escapeText(tokens[index]?.content ?? '');
rules.text = text;
rules.code_inline = (tokens, index) => `<code>${text(tokens, index)}</code>`;
rules.code_block = (tokens, index) => `<pre><code>${text(tokens, index)}</code></pre>\n`;

for (const rule of ['paragraph_open', 'heading_open', 'bullet_list_open', 'ordered_list_open', 'blockquote_open'])
  // Each block has the text direction of its own content.
  rules[rule] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('dir', 'auto');
    return self.renderToken(tokens, index, options);
  };

for (const rule of ['th_open', 'td_open'])
  // The renderer writes the alignment of a column as a style, which is not let through.
  rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const side = /^text-align:(left|center|right)$/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token && side) token.attrs = [['align', side]];
    return self.renderToken(tokens, index, options);
  };

/** Whether a link or picture may lead there: to `schemes`, or to where this page is. */
function mayLead(url: string, schemes: readonly string[]): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  return scheme === undefined ? !url.startsWith('//') : schemes.includes(scheme.toLowerCase());
}

/** Removes a URL attribute with a disallowed scheme. */
function withoutBad(token: Token | undefined, name: 'href' | 'src', schemes: readonly string[]): void {
  if (!token || mayLead(String(token.attrGet(name) ?? ''), schemes)) return;
  token.attrs = token.attrs?.filter(([key]) => key !== name) ?? null;
}

rules.link_open = (tokens, index, options, _env, self) => {
  const token = tokens[index];
  withoutBad(token, 'href', ['http', 'https', 'mailto']);
  if (token && leadsAway(String(token.attrGet('href') ?? '')))
    for (const [name, value] of Object.entries(AWAY)) token.attrSet(name, value);
  return self.renderToken(tokens, index, options);
};

const { image } = rules;
rules.image = (tokens, index, options, env, self) => {
  withoutBad(tokens[index], 'src', ['http', 'https']);
  return image?.(tokens, index, options, env, self) ?? '';
};

/** Whether the text has HTML of its own in it, wherever. */
const hasHtml = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ type, children }) => type === 'html_block' || type === 'html_inline' || (children && hasHtml(children)),
  );

/** Text of one line without any character that has a meaning in Markdown. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} ,;?']*\.?$/u;

/** A text as one plain paragraph. */
export const plainParagraph = (written: string): string => `<p dir="auto">${escapeText(written)}</p>`;

/**
 * Markdown as people write it in descriptions and notes, as HTML that is safe to show. All that the renderer writes by
 * itself is escaped; a text with HTML of its own is cleaned as a whole.
 * @throws TooManyTokens
 */
export function renderHtml(written: string): string {
  if (PLAIN.test(written)) return plainParagraph(written);
  // Footnote ids differ between texts: a page shows several texts.
  const env = { docId: createHash('sha1').update(written).digest('hex').slice(0, 8) };
  const tokens = renderer.parse(written, env);
  const html = renderer.renderer.render(tokens, renderer.options, env);
  return (hasHtml(tokens) ? cleanHtml(html) : html).trimEnd();
}
