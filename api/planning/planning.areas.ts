/* Routes of this domain by area: one line per route file. */
export {
  awardEmojiRoutes as awardEmoji,
  badgeRoutes as badges,
  boardRoutes as boards,
  issueLinkRoutes as issueLinks,
  labelRoutes as labels,
  milestoneRoutes as milestones,
  markdownRoutes as markdown,
  wikiRoutes as wikis,
} from './planning.rest.js';
export { default as epics } from './epics/epics.rest.js';
export { default as issues } from './issues/issues.rest.js';
export {
  milestoneIssueRoutes as milestoneIssues,
  resourceEventRoutes as resourceEvents,
} from './issues/issues.rest.js';
export { default as snippets } from './snippets/snippets.rest.js';
