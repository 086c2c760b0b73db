import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { ListedSnippet } from './snippet.record.js';

/** Descriptions of snippets as HTML, with references as the caller may follow them. */
export const snippetHtml = markdownHtml<ListedSnippet, 'description'>(
  ({ description }) => ({ description }),
  ({ project_id: id }) => (id ? { kind: 'project', id } : null),
);
