import type { WorkerDomain } from '../core/domain.js';
import { closingOfMergedIssues, noteOfMergeRequestIssues } from './merge-request-edits/issues-of-merge-requests.js';
import { mergingHandlers } from './merging/merging.js';
import { refreshHandlers } from './merge-request-versions/refresh.js';

export const mergeRequestsWorkers: WorkerDomain = {
  handlers: [closingOfMergedIssues, noteOfMergeRequestIssues, ...refreshHandlers, ...mergingHandlers],
};
