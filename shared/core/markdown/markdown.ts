import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/**
 * Markdown as people write it in descriptions and notes, as HTML that is safe to show: rendered first, then cleaned
 * of everything that is not on the list below, whatever the renderer made of it.
 */
const renderer = new MarkdownIt({ html: true, linkify: true, typographer: false, breaks: false });

for (const rule of ['paragraph_open', 'heading_open', 'bullet_list_open', 'ordered_list_open', 'blockquote_open'])
  // Each block runs in the direction of its own words.
  renderer.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('dir', 'auto');
    return self.renderToken(tokens, index, options);
  };

for (const rule of ['th_open', 'td_open'])
  // The renderer writes the alignment of a column as a style, which is not let through.
  renderer.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const side = /^text-align:(left|center|right)$/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token && side) token.attrs = [['align', side]];
    return self.renderToken(tokens, index, options);
  };

/** What a text is made of; nothing that runs, loads, frames or asks for anything. */
const TAGS = (
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr br div dl dt dd details summary table thead tbody tfoot tr th td ' +
  'a abbr b code del em i img ins kbd mark q s samp small span strike strong sub sup tt var'
).split(' ');

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    '*': ['dir', 'title', 'lang'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    code: ['class'],
    ol: ['start'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
    details: ['open'],
  },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      // A page that a stranger linked gets neither our address nor a hand on our window.
      attribs: /^https?:/i.test(attribs.href ?? '')
        ? { ...attribs, rel: 'nofollow noreferrer noopener', target: '_blank' }
        : attribs,
    }),
  },
};

/** Rendered texts that are kept, the most recently used ones: lists show the same descriptions again and again. */
const KEPT = 2000;
/** Longer texts are rendered each time. */
const KEPT_LENGTH = 4000;
const kept = new LRUCache<string, string>({ max: KEPT });

/** Words of one line, without a character that could mean something in Markdown. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} ,;?']*\.?$/u;

/**
 * Renders Markdown (CommonMark, tables, strikethrough, links that are only written out) as safe HTML.
 * @returns empty for an empty text
 */
export function renderMarkdown(text: string): string {
  if (text.trim() === '') return '';
  const known = kept.get(text);
  if (known !== undefined) return known;
  const html = PLAIN.test(text) ? `<p dir="auto">${text}</p>` : sanitizeHtml(renderer.render(text), ALLOWED).trimEnd();
  if (text.length <= KEPT_LENGTH) kept.set(text, html);
  return html;
}
