import type { ApiDomain } from '../core/domain.js';
import awardEmoji from './award-emoji/award-emoji.rest.js';
import epics from './epics/epics.rest.js';
import issueLinks from './issue-links/issue-links.rest.js';
import issues from './issues/issues.rest.js';
import labels from './labels/labels.rest.js';
import markdown from './markdown/markdown.rest.js';
import milestoneIssues from './milestone-issues/milestone-issues.rest.js';
import milestones from './milestones/milestones.rest.js';
import resourceEvents from './resource-events/resource-events.rest.js';

export const planningApi: ApiDomain = {
  areas: { awardEmoji, epics, issueLinks, issues, labels, markdown, milestoneIssues, milestones, resourceEvents },
  resolvers: async () => (await import('./planning.resolvers.js')).planningResolvers,
};
