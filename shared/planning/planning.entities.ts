import type { TablesOf } from '../core/database/tables.js';
import type { CiDatabase } from '../ci/ci.entities.js';
import { EpicAwardEmoji } from './award-emoji/epic-award-emoji.entity.js';
import { IssueAwardEmoji } from './award-emoji/issue-award-emoji.entity.js';
import { Badge } from './badges/badge.entity.js';
import { Board, BoardList } from './boards/board.entity.js';
import { IssueUserAgent } from './issues/issue-user-agent.entity.js';
import { IssueLink } from './issue-links/issue-link.entity.js';
import { EpicIssue } from './issues/epic-issue.entity.js';
import { Epic } from './epics/epic.entity.js';
import { Issue } from './issues/issue.entity.js';
import { Label } from './labels/label.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { SnippetUserAgent } from './snippets/snippet-user-agent.entity.js';
import { SnippetAwardEmoji } from './award-emoji/snippet-award-emoji.entity.js';
import { Snippet } from './snippets/snippet.entity.js';
import { WikiPageMeta } from './wikis/wiki-page-meta.entity.js';
import {
  EpicLabelEvent,
  EpicStateEvent,
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './issues/resource-event.entity.js';
import {
  IssueAssignee,
  IssueCrossReference,
  IssueLabel,
  IssueMention,
  IssueSubscription,
  IssueTimelog,
} from './issuables/issue-relations.entity.js';
import { EpicLabel, EpicSubscription } from './issuables/epic-relations.entity.js';
import { LabelPriority, LabelSubscription } from './labels/label-relations.entity.js';
import { BoardLabel } from './boards/board-label.entity.js';
import { ProjectIssueCount } from './issues/project-issue-count.entity.js';

/** The tables of this domain. */
export const planningEntities = [
  Badge,
  Board,
  BoardLabel,
  BoardList,
  Epic,
  EpicAwardEmoji,
  EpicIssue,
  EpicLabel,
  EpicLabelEvent,
  EpicStateEvent,
  EpicSubscription,
  Issue,
  IssueAssignee,
  IssueAwardEmoji,
  IssueCrossReference,
  IssueLabel,
  IssueLabelEvent,
  IssueLink,
  IssueMention,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueSubscription,
  IssueTimelog,
  IssueUserAgent,
  IssueWeightEvent,
  Label,
  LabelPriority,
  LabelSubscription,
  Milestone,
  ProjectIssueCount,
  Snippet,
  SnippetAwardEmoji,
  SnippetUserAgent,
  WikiPageMeta,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface PlanningDatabase extends CiDatabase, TablesOf<(typeof planningEntities)[number]> {}
