import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { NoteRecord } from './note.record.js';

/** Notes as HTML, with references as the caller may follow them. */
export const noteHtml = markdownHtml<NoteRecord, 'body' | 'first_line'>(
  ({ note }) => ({ body: note, first_line: note.split('\n', 1)[0] ?? '' }),
  ({ noteable: { container } }) => ({ kind: container.kind, id: container.id }),
);
