import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { ListedEpic } from './epic.record.js';

/** Title and description of epics as HTML, with references as the caller may follow them. */
export const epicHtml = markdownHtml<ListedEpic, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ namespace_id: id }) => ({ kind: 'group', id }),
);
