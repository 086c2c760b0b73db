import type { Domain } from '../core/domain.js';
import { Issue } from './issues/issue.entity.js';
import { Label } from './labels/label.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { planningAuditOf } from './planning.audit.js';

export const planningDomain: Domain = {
  name: 'planning',
  entities: [Issue, Label, Milestone],
  jobKinds: [],
  subscribers: [],
  auditOf: planningAuditOf,
};
