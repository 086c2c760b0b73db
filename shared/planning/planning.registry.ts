import type { Domain } from '../core/domain.js';
import { IssueUserAgent } from './issue-edits/issue-user-agent.entity.js';
import { addOpenIssuesToProjects } from './issues/open-issues-of-projects.js';
import { Issue } from './issues/issue.entity.js';
import { Label } from './labels/label.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { planningAuditOf } from './planning.audit.js';

addOpenIssuesToProjects();

export const planningDomain: Domain = {
  name: 'planning',
  entities: [Issue, IssueUserAgent, Label, Milestone],
  jobKinds: [],
  subscribers: [],
  auditOf: planningAuditOf,
};
