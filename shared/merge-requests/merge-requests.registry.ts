import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { countMergeRequestsOfIssues } from '../planning/issues/issue.loads.js';
import { mergeRequestsEntities } from './merge-requests.entities.js';
import { countMergeRequestsOfLabels } from '../planning/labels/label-counts.js';
import { removeWithAuthor } from '../tenancy/users/authored-content.js';
import {
  closeMergedIssues,
  noteMergeRequestIssues,
  countFilesOfVersions,
  refreshMergeRequests,
  checkMergeability,
  finishMerge,
  mergeWhenReady,
  rebaseMergeRequest,
  removeSourceBranches,
} from './merge-requests.jobs.js';
import * as readings from './merge-requests.audit.js';
import { mergeRequestsLiveKinds, mergeRequestsPageChanges } from './merge-requests.pages.js';
import { mergeRequestsSubscribers } from './merge-requests.subscribers.js';
import { addApprovalsToMergeDetails } from './approvals/approval.finder.js';
import { addMergeRequestLinksToPushes } from './merge-requests/push-links.js';
import { letMergersPush } from './merge-requests/collaboration.js';
import { mergeRequestsClosingIssues, openMergeRequestsOfLabels } from './merge-requests/merge-request-counts.js';
import { removeMergeRequestsOf } from './merge-requests/remove-merge-requests.js';
import { mergeRequestReferences } from './merge-requests/merge-request-references.js';

removeWithAuthor(removeMergeRequestsOf);

addApprovalsToMergeDetails();
addMergeRequestLinksToPushes();
letMergersPush();
countMergeRequestsOfLabels(openMergeRequestsOfLabels);
countMergeRequestsOfIssues(mergeRequestsClosingIssues);

export const mergeRequestsDomain: Domain = {
  name: 'merge-requests',
  entities: mergeRequestsEntities,
  references: [mergeRequestReferences],
  jobKinds: [
    closeMergedIssues,
    noteMergeRequestIssues,
    refreshMergeRequests,
    countFilesOfVersions,
    checkMergeability,
    finishMerge,
    mergeWhenReady,
    rebaseMergeRequest,
    removeSourceBranches,
  ],
  subscribers: mergeRequestsSubscribers,
  auditOf: allReadings(readings),
  liveKinds: mergeRequestsLiveKinds,
  pageChanges: mergeRequestsPageChanges,
};
