import type { WorkerDomain } from '../core/domain.js';
import { refreshOfMergeRequests } from './merge-request-versions/refresh.js';

export const mergeRequestsWorkers: WorkerDomain = {
  handlers: [refreshOfMergeRequests],
};
