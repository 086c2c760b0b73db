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

/** HTML of one text may be this long; a longer one is shown as it was written. */
const MOST_HTML = 8 * 1024 * 1024;

/** What a text is that cannot be rendered: as it was written. */
export const asWritten = (written: string, form: TextForm): Rendered => ({
  html: [form === 'line' ? escapeText(written) : plainParagraph(written)],
  candidates: [],
});

/** Null for a text that is made of too much. */
function htmlOf(written: string): string | null {
  try {
    return renderHtml(written);
  } catch (error) {
    if (error instanceof TooManyTokens) return null;
    throw error;
  }
}

/** Renders a text for nobody yet: safe HTML, split where something may be a reference. */
export function renderText(written: string, form: TextForm, marks: Marks): Rendered {
  if (form === 'line') return markReferences(escapeText(written), marks);
  const html = htmlOf(written);
  if (html === null || html.length > MOST_HTML) return asWritten(written, form);
  return form === 'plain' ? { html: [html], candidates: [] } : markReferences(html, marks);
}
