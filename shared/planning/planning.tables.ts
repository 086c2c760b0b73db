/* The tables of this domain: a line for each file of entities. */
export { EpicAwardEmoji, IssueAwardEmoji, SnippetAwardEmoji } from './award-emoji/award-emoji.entity.js';
export { Badge } from './badges/badge.entity.js';
export { BoardLabel, Board, BoardList } from './boards/board.entity.js';
export { Epic } from './epics/epic.entity.js';
export { EpicLabel, EpicSubscription } from './issuables/epic-relations.entity.js';
export {
  IssueAssignee,
  IssueCrossReference,
  IssueLabel,
  IssueMention,
  IssueSubscription,
  IssueTimelog,
} from './issuables/issue-relations.entity.js';
export { IssueLink } from './issue-links/issue-link.entity.js';
export { EpicIssue } from './issues/epic-issue.entity.js';
export { IssueUserAgent, Issue, ProjectIssueCount } from './issues/issue.entity.js';
export {
  EpicLabelEvent,
  EpicStateEvent,
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './issues/resource-event.entity.js';
export { LabelPriority, LabelSubscription, Label } from './labels/label.entity.js';
export { Milestone } from './milestones/milestone.entity.js';
export { SnippetUserAgent, Snippet } from './snippets/snippet.entity.js';
export { WikiPageMeta } from './wikis/wiki-page-meta.entity.js';
