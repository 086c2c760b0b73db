import type { TablesOf } from '../core/database/tables.js';
import type { PlanningDatabase } from '../planning/planning.entities.js';
import { MergeRequestAwardEmoji } from './merge-request-awards/merge-request-award-emoji.entity.js';
import {
  MergeRequestLabelEvent,
  MergeRequestMilestoneEvent,
  MergeRequestStateEvent,
} from './merge-request-events/merge-request-event.entity.js';
import { MergeRequest } from './merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';

/** The tables of this domain. */
export const mergeRequestsEntities = [
  MergeRequest,
  MergeRequestAwardEmoji,
  MergeRequestLabelEvent,
  MergeRequestMilestoneEvent,
  MergeRequestStateEvent,
  MergeRequestVersion,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface MergeRequestsDatabase extends PlanningDatabase, TablesOf<(typeof mergeRequestsEntities)[number]> {}
