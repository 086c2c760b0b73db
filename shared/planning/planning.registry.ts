import type { Domain } from '../core/domain.js';
import { IssueAwardEmoji } from './award-emoji/issue-award-emoji.entity.js';
import { IssueUserAgent } from './issue-edits/issue-user-agent.entity.js';
import { addOpenIssuesToProjects } from './issues/open-issues-of-projects.js';
import { Issue } from './issues/issue.entity.js';
import { Label } from './labels/label.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { removeIssuesOf } from './issues/remove-issues.js';
import { removeWithAuthor } from '../tenancy/user-lifecycle/own-words.js';
import { planningSubscribers } from './planning.subscribers.js';
import { planningAuditOf } from './planning.audit.js';

addOpenIssuesToProjects();
removeWithAuthor(removeIssuesOf);

export const planningDomain: Domain = {
  name: 'planning',
  entities: [Issue, IssueAwardEmoji, IssueUserAgent, Label, Milestone],
  jobKinds: [],
  subscribers: planningSubscribers,
  auditOf: planningAuditOf,
};
