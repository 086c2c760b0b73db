import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { ListedMergeRequest } from './merge-request.record.js';

/** Title and description of merge requests as HTML, with references as the caller may follow them. */
export const mergeRequestHtml = markdownHtml<ListedMergeRequest, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ project_id: id }) => ({ kind: 'project', id }),
);
