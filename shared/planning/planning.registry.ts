import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { planningEntities } from './planning.entities.js';
import { addGitContent } from '../repositories/git-http/git-content.js';
import { removeWithAuthor } from '../tenancy/users/authored-content.js';
import { closeIssuesByCommits, noteIssueMentions } from './planning.jobs.js';
import { epicReferences } from './references/epic-references.js';
import { removeEpicsOf, removeIssuesOf, removeSnippetsOf } from './remove-of-author.js';
import { addOpenIssuesToProjects } from './issues/open-issues-of-projects.js';
import * as readings from './planning.audit.js';
import { planningLiveKinds, planningPageChanges } from './planning.pages.js';
import { planningSubscribers } from './planning.subscribers.js';
import { snippetOfGitPath } from './snippets/snippet-git.js';
import { snippetReferences } from './snippets/snippet-references.js';
import { wikiOfGitPath } from './wikis/wiki-git.js';
import { planningReferences } from './references/planning-references.js';

addOpenIssuesToProjects();
removeWithAuthor(removeIssuesOf);
removeWithAuthor(removeEpicsOf);
removeWithAuthor(removeSnippetsOf);
addGitContent(snippetOfGitPath);
addGitContent(wikiOfGitPath);

export const planningDomain: Domain = {
  name: 'planning',
  entities: planningEntities,
  references: [epicReferences, planningReferences, snippetReferences],
  jobKinds: [closeIssuesByCommits, noteIssueMentions],
  subscribers: planningSubscribers,
  liveKinds: planningLiveKinds,
  pageChanges: planningPageChanges,
  auditOf: allReadings(readings),
};
