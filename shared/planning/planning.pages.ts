import type { UserOrAnonymous } from '../core/callers.js';
import type { PageChange, PageChangesOf } from '../core/page-changes/follow-events.js';
import { roleIn } from '../core/policy.js';
import type { GroupRecord } from '../tenancy/groups/group.record.js';
import type { FollowedKinds } from '../tenancy/live-pages/page-scope.js';
import { groupEpicPolicy } from './epics/epic.policy.js';
import type { Epic } from './epics/epic.entity.js';
import { projectIssuePolicy } from './issues/issue.policy.js';
import type { Issue } from './issues/issue.entity.js';
import { openProjects, wholeProjects } from './issues/visible-issues.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Issues that are not confidential, their links, and what is said about them. */
    issues: true;
    /** The same of confidential ones. */
    confidential_issues: true;
    /** Epics of a group that are not confidential, their issues, and what is said about them. */
    epics: true;
    /** The same of confidential ones. */
    confidential_epics: true;
  }
}

/** Who may know that issues and epics changed: whoever may read them all, confidential ones apart. */
export const planningFollowed: FollowedKinds = {
  issues: { may: projectIssuePolicy.read_issue, projects: openProjects },
  confidential_issues: { may: projectIssuePolicy.read_confidential_issues, projects: wholeProjects },
  epics: { group: groupEpicPolicy.read_epics },
  confidential_epics: {
    group: (caller: UserOrAnonymous, group: GroupRecord) =>
      groupEpicPolicy.read_epics(caller, group) && roleIn(caller, group, 'planner'),
  },
};

type ChangedIssue = Pick<Issue, 'project_id' | 'confidential'>;
type ChangedEpic = Pick<Epic, 'namespace_id' | 'confidential'>;

/** What a change of an issue is to pages. */
export const issueChange = ({ project_id, confidential }: ChangedIssue): PageChange => ({
  kind: confidential ? 'confidential_issues' : 'issues',
  project_id,
});

/** What a change of an epic is to pages. */
export const epicChange = ({ namespace_id, confidential }: ChangedEpic): PageChange => ({
  kind: confidential ? 'confidential_epics' : 'epics',
  group_id: namespace_id,
});

/** What becomes confidential is gone for some, and there for all again where it is so no more. */
const turns = (changes: readonly { attribute: string }[]) =>
  changes.some(({ attribute }) => attribute === 'confidential') ? [true, false] : null;

const ofLink = ({ source, target }: { source: { issue: Issue }; target: { issue: Issue } }) => [
  issueChange(source.issue),
  issueChange(target.issue),
];

/** What of pages events change. */
export const planningPageChanges: PageChangesOf = {
  'issue.created': ({ issue }) => issueChange(issue),
  'issue.changed': ({ issue, changes }) =>
    turns(changes)?.map((confidential) => issueChange({ ...issue, confidential })) ?? issueChange(issue),
  'issue.moved': ({ from, to }) => [issueChange(from.issue), issueChange(to.issue)],
  'issue.cloned': ({ to }) => issueChange(to.issue),
  'issue.deleted': ({ issue }) => issueChange(issue),
  'issues.removed': ({ issues }) => issues.map(issueChange),
  'issue.mentioned': ({ target }) => issueChange(target.issue),
  'issue_link.created': ofLink,
  'issue_link.deleted': ofLink,
  'epic.created': ({ epic }) => epicChange(epic),
  'epic.changed': ({ epic, changes }) =>
    turns(changes)?.map((confidential) => epicChange({ ...epic, confidential })) ?? epicChange(epic),
  'epic.deleted': ({ epic }) => epicChange(epic),
  // Names of epics do not tell whether they are confidential: those who see one of them ask in vain at worst.
  'epic_issue.changed': ({ issue, from, to }) => [
    issueChange(issue),
    ...[from, to].flatMap((epic) =>
      epic ? [{ kind: 'confidential_epics', group_id: epic.namespace_id } as const] : [],
    ),
  ],
};
