import type { TablesOf } from '../core/database/tables.js';
import type { PlanningDatabase } from '../planning/planning.entities.js';
import { MergeRequestAwardEmoji } from './merge-requests/merge-request-award-emoji.entity.js';
import {
  MergeRequestLabelEvent,
  MergeRequestMilestoneEvent,
  MergeRequestStateEvent,
} from './merge-requests/merge-request-event.entity.js';
import { MergeRequest } from './merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';
import {
  MergeRequestApproval,
  MergeRequestAssignee,
  MergeRequestClosingIssue,
  MergeRequestLabel,
  MergeRequestMention,
  MergeRequestReviewer,
  MergeRequestSubscription,
  MergeRequestTimelog,
  ProjectMergeRequestCount,
} from './merge-requests/merge-request-relations.entity.js';
import { MergeRequestVersionCommit } from './merge-request-versions/merge-request-version-commit.entity.js';

/** The tables of this domain. */
export const mergeRequestsEntities = [
  MergeRequest,
  MergeRequestApproval,
  MergeRequestAssignee,
  MergeRequestAwardEmoji,
  MergeRequestClosingIssue,
  MergeRequestLabel,
  MergeRequestLabelEvent,
  MergeRequestMention,
  MergeRequestMilestoneEvent,
  MergeRequestReviewer,
  MergeRequestStateEvent,
  MergeRequestSubscription,
  MergeRequestTimelog,
  MergeRequestVersion,
  MergeRequestVersionCommit,
  ProjectMergeRequestCount,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface MergeRequestsDatabase extends PlanningDatabase, TablesOf<(typeof mergeRequestsEntities)[number]> {}
