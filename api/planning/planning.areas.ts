/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as awardEmoji } from './award-emoji/award-emoji.rest.js';
export { default as badges } from './badges/badges.rest.js';
export { default as boards } from './boards/boards.rest.js';
export { default as epics } from './epics/epics.rest.js';
export { default as issueLinks } from './issue-links/issue-links.rest.js';
export { default as issues } from './issues/issues.rest.js';
export { default as milestoneIssues } from './issues/milestone-issues.rest.js';
export { default as resourceEvents } from './issues/resource-events.rest.js';
export { default as labels } from './labels/labels.rest.js';
export { default as milestones } from './milestones/milestones.rest.js';
export { default as markdown } from './references/markdown.rest.js';
export { default as snippets } from './snippets/snippets.rest.js';
export { default as wikis } from './wikis/wikis.rest.js';
