/* The tables of this domain: a line for each file of entities. */
export { EpicAwardEmoji } from './award-emoji/epic-award-emoji.entity.js';
export { IssueAwardEmoji } from './award-emoji/issue-award-emoji.entity.js';
export { SnippetAwardEmoji } from './award-emoji/snippet-award-emoji.entity.js';
export { Badge } from './badges/badge.entity.js';
export { BoardLabel } from './boards/board-label.entity.js';
export { Board, BoardList } from './boards/board.entity.js';
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
export { IssueUserAgent } from './issues/issue-user-agent.entity.js';
export { Issue } from './issues/issue.entity.js';
export { ProjectIssueCount } from './issues/project-issue-count.entity.js';
export {
  EpicLabelEvent,
  EpicStateEvent,
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './issues/resource-event.entity.js';
export { LabelPriority, LabelSubscription } from './labels/label-relations.entity.js';
export { Label } from './labels/label.entity.js';
export { Milestone } from './milestones/milestone.entity.js';
export { SnippetUserAgent } from './snippets/snippet-user-agent.entity.js';
export { Snippet } from './snippets/snippet.entity.js';
export { WikiPageMeta } from './wikis/wiki-page-meta.entity.js';
