import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { ListedIssue } from './issue.record.js';

/** Title and description of issues as HTML, with references as the caller may follow them. */
export const issueHtml = markdownHtml<ListedIssue, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ project_id: id }) => ({ kind: 'project', id }),
);
