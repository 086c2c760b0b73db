import type { ApiDomain } from '../core/domain.js';
import awardEmoji from './award-emoji/award-emoji.rest.js';
import badges from './badges/badges.rest.js';
import boards from './boards/boards.rest.js';
import epics from './epics/epics.rest.js';
import issueLinks from './issue-links/issue-links.rest.js';
import issues from './issues/issues.rest.js';
import labels from './labels/labels.rest.js';
import markdown from './references/markdown.rest.js';
import milestoneIssues from './issues/milestone-issues.rest.js';
import milestones from './milestones/milestones.rest.js';
import resourceEvents from './issues/resource-events.rest.js';
import snippets from './snippets/snippets.rest.js';
import wikis from './wikis/wikis.rest.js';

export const planningApi: ApiDomain = {
  areas: {
    awardEmoji,
    badges,
    boards,
    epics,
    issueLinks,
    issues,
    labels,
    markdown,
    milestoneIssues,
    milestones,
    resourceEvents,
    snippets,
    wikis,
  },
  resolvers: async () => (await import('./planning.resolvers.js')).planningResolvers,
};
