import { escapeText } from './escape-text.js';
import { markReferences } from './mark-references.js';
import type { Marks, Rendered } from './reference-syntax.js';
import { plainParagraph, renderHtml } from './renderer.js';
import { TooManyTokens } from './token-limit.js';

/**
 * How a text is written. `text`: GitLab Flavored Markdown. `plain`: Markdown without references and emoji. `line`: no
 * Markdown, one line with references and emoji, as titles are.
 */
export type TextForm = 'text' | 'plain' | 'line';

/** Maximum length of the HTML of one text; a longer one is shown as plain text. */
const MOST_HTML = 8 * 1024 * 1024;

/** The result for a text that cannot be rendered: the plain text. */
export const asWritten = (written: string, form: TextForm): Rendered => ({
  html: [form === 'line' ? escapeText(written) : plainParagraph(written)],
  candidates: [],
});

/** Null for a text with too many tokens. */
function getHtml(written: string): string | null {
  try {
    return renderHtml(written);
  } catch (error) {
    if (error instanceof TooManyTokens) return null;
    throw error;
  }
}

/** Renders a text independently of the viewer: safe HTML, split at possible references. */
export function renderText(written: string, form: TextForm, marks: Marks): Rendered {
  if (form === 'line') return markReferences(escapeText(written), marks);
  const html = getHtml(written);
  if (html === null || html.length > MOST_HTML) return asWritten(written, form);
  return form === 'plain' ? { html: [html], candidates: [] } : markReferences(html, marks);
}
