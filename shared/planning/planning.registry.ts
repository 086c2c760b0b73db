import type { Domain } from '../core/domain.js';
import { addGitContent } from '../repositories/git-http/git-content.js';
import { removeWithAuthor } from '../tenancy/user-lifecycle/own-words.js';
import { EpicAwardEmoji } from './award-emoji/epic-award-emoji.entity.js';
import { IssueAwardEmoji } from './award-emoji/issue-award-emoji.entity.js';
import { Badge } from './badges/badge.entity.js';
import { Board, BoardList } from './boards/board.entity.js';
import { closeIssuesByCommits } from './closing-commits/closing-commit.jobs.js';
import { IssueUserAgent } from './issue-edits/issue-user-agent.entity.js';
import { IssueLink } from './issue-links/issue-link.entity.js';
import { noteIssueMentions } from './issue-mentions/issue-mention.jobs.js';
import { epicReferences } from './epic-references/epic-references.js';
import { EpicIssue } from './epic-issues/epic-issue.entity.js';
import { Epic } from './epics/epic.entity.js';
import { removeEpicsOf } from './epics/remove-epics.js';
import { Issue } from './issues/issue.entity.js';
import { addOpenIssuesToProjects } from './issues/open-issues-of-projects.js';
import { removeIssuesOf } from './issues/remove-issues.js';
import { Label } from './labels/label.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { planningAuditOf } from './planning.audit.js';
import { planningFollowed, planningPageChanges } from './planning.pages.js';
import { planningSubscribers } from './planning.subscribers.js';
import { removeSnippetsOf } from './snippets/remove-snippets.js';
import { snippetOfGitPath } from './snippets/snippet-git.js';
import { snippetReferences } from './snippets/snippet-references.js';
import { SnippetUserAgent } from './snippets/snippet-user-agent.entity.js';
import { SnippetAwardEmoji } from './award-emoji/snippet-award-emoji.entity.js';
import { Snippet } from './snippets/snippet.entity.js';
import { wikiOfGitPath } from './wikis/wiki-git.js';
import { WikiPageMeta } from './wikis/wiki-page-meta.entity.js';
import { planningReferences } from './references/planning-references.js';
import {
  EpicLabelEvent,
  EpicStateEvent,
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './resource-events/resource-event.entity.js';

addOpenIssuesToProjects();
removeWithAuthor(removeIssuesOf);
removeWithAuthor(removeEpicsOf);
removeWithAuthor(removeSnippetsOf);
addGitContent(snippetOfGitPath);
addGitContent(wikiOfGitPath);

export const planningDomain: Domain = {
  name: 'planning',
  entities: [
    Badge,
    Board,
    BoardList,
    Epic,
    EpicAwardEmoji,
    EpicIssue,
    EpicLabelEvent,
    EpicStateEvent,
    Issue,
    IssueAwardEmoji,
    IssueLabelEvent,
    IssueLink,
    IssueMilestoneEvent,
    IssueStateEvent,
    IssueUserAgent,
    IssueWeightEvent,
    Label,
    Milestone,
    Snippet,
    SnippetAwardEmoji,
    SnippetUserAgent,
    WikiPageMeta,
  ],
  references: [epicReferences, planningReferences, snippetReferences],
  jobKinds: [closeIssuesByCommits, noteIssueMentions],
  subscribers: planningSubscribers,
  followed: planningFollowed,
  pageChanges: planningPageChanges,
  auditOf: planningAuditOf,
};
