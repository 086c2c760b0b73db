import type { UserOrAnonymous } from '../core/context/callers.js';
import type { PageChange, PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import { roleIn } from '../core/operations/policy.js';
import type { GroupRecord } from '../tenancy/groups/group.entity.js';
import { containerOfGroup, containerOfProject } from '../tenancy/containers/container.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import type { ProjectRecord } from '../tenancy/projects/project.entity.js';
import type { ContainerSummary } from '../tenancy/tenancy.events.js';
import { boardPolicy } from './boards/board.policy.js';
import { groupEpicPolicy } from './epics/epic.policy.js';
import type { Epic } from './epics/epic.entity.js';
import { projectIssuePolicy } from './issues/issue.policy.js';
import type { Issue } from './issues/issue.entity.js';
import { openProjects, wholeProjects } from './issues/visible-issues.js';
import { milestonePolicy } from './milestones/milestone.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Issues that are not confidential, their links and their discussions. */
    issues: true;
    /** The same of confidential ones. */
    confidential_issues: true;
    /** Epics of a group that are not confidential, their issues and their discussions. */
    epics: true;
    /** The same of confidential ones. */
    confidential_epics: true;
    /** Boards of a project and their lists. */
    boards: true;
    /** The same of a group. */
    group_boards: true;
    /** Milestones of a project itself. */
    milestones: true;
    /** The same of a group. */
    group_milestones: true;
  }
}

type Reads<Record> = (caller: UserOrAnonymous, record: Record) => boolean;

const readsBoards: Reads<ProjectRecord> = (caller, project) =>
  boardPolicy.read_issue_board(caller, containerOfProject(project));
const readsGroupBoards: Reads<GroupRecord> = (caller, group) =>
  boardPolicy.read_issue_board(caller, containerOfGroup(group));
const readsMilestones: Reads<ProjectRecord> = (caller, project) =>
  milestonePolicy.read_milestone(caller, containerOfProject(project));
const readsGroupMilestones: Reads<GroupRecord> = (caller, group) =>
  milestonePolicy.read_milestone(caller, containerOfGroup(group));

/** Who is notified of changes to issues and epics: callers who can read all of them; other kinds: their readers. */
export const planningLiveKinds: LiveKinds = {
  issues: { may: projectIssuePolicy.read_issue, projects: openProjects },
  confidential_issues: { may: projectIssuePolicy.read_confidential_issues, projects: wholeProjects },
  epics: { group: groupEpicPolicy.read_epics },
  confidential_epics: {
    group: (caller: UserOrAnonymous, group: GroupRecord) =>
      groupEpicPolicy.read_epics(caller, group) && roleIn(caller, group, 'planner'),
  },
  boards: { may: readsBoards },
  group_boards: { group: readsGroupBoards },
  milestones: { may: readsMilestones },
  group_milestones: { group: readsGroupMilestones },
};

type ChangedIssue = Pick<Issue, 'project_id' | 'confidential'>;
type ChangedEpic = Pick<Epic, 'namespace_id' | 'confidential'>;

/** Page change for a changed issue. */
export const issueChange = ({ project_id, confidential }: ChangedIssue): PageChange => ({
  kind: confidential ? 'confidential_issues' : 'issues',
  project_id,
});

/** Page change for a changed epic. */
export const epicChange = ({ namespace_id, confidential }: ChangedEpic): PageChange => ({
  kind: confidential ? 'confidential_epics' : 'epics',
  group_id: namespace_id,
});

/** Page change for a changed board. */
const ofBoard = ({ container }: { container: ContainerSummary }): PageChange =>
  'project' in container
    ? { kind: 'boards', project_id: container.project.id }
    : { kind: 'group_boards', group_id: container.group.id };

/** Page change for a changed milestone. */
const ofMilestone = ({ container }: { container: ContainerSummary }): PageChange =>
  'project' in container
    ? { kind: 'milestones', project_id: container.project.id }
    : { kind: 'group_milestones', group_id: container.group.id };

/** A change of confidentiality affects both audiences: the record disappears for some readers, or reappears for all. */
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
  'board.created': ofBoard,
  'board.updated': ofBoard,
  'board.deleted': ofBoard,
  'board.arranged': ofBoard,
  'milestone.created': ofMilestone,
  'milestone.updated': ofMilestone,
  'milestone.deleted': ofMilestone,
  'milestone.promoted': (event) => [
    ofMilestone(event),
    ...event.project_ids.map((project_id) => ({ kind: 'milestones', project_id }) as const),
  ],
  'epic.created': ({ epic }) => epicChange(epic),
  'epic.changed': ({ epic, changes }) =>
    turns(changes)?.map((confidential) => epicChange({ ...epic, confidential })) ?? epicChange(epic),
  'epic.deleted': ({ epic }) => epicChange(epic),
  // The event does not say whether the epics are confidential; at worst, some readers refetch needlessly.
  'epic_issue.changed': ({ issue, from, to }) => [
    issueChange(issue),
    ...[from, to].flatMap((epic) =>
      epic ? [{ kind: 'confidential_epics', group_id: epic.namespace_id } as const] : [],
    ),
  ],
};
