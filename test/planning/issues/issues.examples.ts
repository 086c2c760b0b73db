import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { sql } from 'kysely';
import { issueDetails } from '../../../shared/planning/issues/issue.serializer.js';
import type { AreaExamples, GraphqlPair, GraphqlFixture, RequestExample } from '../../core/area-examples.js';
import type { Client } from '../../core/client.js';
import type { Sandbox } from '../../core/sandbox.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const notAudited = 'everyday work, which the issue tells by itself';
const duration = { params: { duration: () => '1h' }, notAudited };

const makeIssue = (sandbox: Sandbox, project: string | number) =>
  sandbox.post(`/projects/${project}/issues`, { title: `Issue ${sandbox.unique()}` }) as unknown as Promise<{
    id: number;
    iid: number;
  }>;

/** Moves to a project of the issue's author. */
const elsewhere: RequestExample = {
  params: { to_project_id: async (sandbox) => (await sandbox.app.build.project({ owner: sandbox.people.author })).id },
  caller: (sandbox) => sandbox.people.author,
  notAudited,
};

/** Where GraphQL finds issues that have all that one can have. */
const ISSUES = ['issues(first: $n, createdAfter: "2029-06-01T00:00:00Z")', 'nodes'];

/** A thread on an issue, edited and resolved. */
async function discuss(as: Client, issue: string): Promise<void> {
  const thread = (await as.post(`${issue}/discussions`, { body: 'Why?' })).body;
  await as.put(`${issue}/notes/${thread.notes[0].id}`, { body: 'Why so?' });
  await as.put(`${issue}/discussions/${thread.id}`, { resolved: true });
}

/** An issue that has all that one can have, made after another one that it has to do with. */
async function fillProject({ app, admin, user, group, project, index }: GraphqlFixture): Promise<void> {
  const as = app.as(admin);
  const issues = `/projects/${project.id}/issues`;
  const attributes = { labels: `label ${index}`, assignee_ids: [user.id], weight: 1, due_date: '2030-02-01' };
  const { id: milestone_id } = (await as.post(`/projects/${project.id}/milestones`, { title: `of issue ${index}` }))
    .body;
  const other = (await as.post(issues, { title: 'Other', ...attributes, milestone_id, created_at: '2029-01-01' })).body;
  const { id: epic_id } = (await as.post(`/groups/${group.id}/epics`, { title: 'Of an issue' })).body;
  const all = { ...attributes, milestone_id, epic_id };
  const issue = (await as.post(issues, { title: 'Issue', description: '- [x] a', ...all })).body;
  // On every other issue, the first note is the system note about the link below.
  if (index % 2 === 1) await discuss(as, `${issues}/${issue.iid}`);
  const target = { target_project_id: project.id, target_issue_iid: other.iid, link_type: 'is_blocked_by' };
  await as.post(`${issues}/${issue.iid}/links`, target);
  if (index % 2 === 0) await as.post(`${issues}/${issue.iid}/notes`, { body: 'Hello' });
  await as.post(`${issues}/${other.iid}/notes`, { body: 'Hello' });
  await app.context().query(sql`
    update issues set moved_to_id = ${other.id}, duplicated_to_id = ${other.id}, closed_by_id = ${user.id},
           updated_by_id = ${user.id} where id = ${issue.id}`);
  await app.context().query(sql`
    insert into merge_requests_closing_issues (project_id, merge_request_id, issue_id, closes)
    select r.project_id, r.id, i.id, false from merge_requests r join issues i on i.project_id = r.project_id
     where r.project_id = ${project.id} on conflict do nothing`);
}

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Issue',
    serializer: issueDetails as Serializer<never>,
    renamed: {
      issue_type: 'type',
      moved_to_id: 'movedTo',
      blocking_issues_count: 'blockingCount',
      references: 'reference',
    },
    restOnly: [
      'assignee',
      'time_stats',
      'has_tasks',
      'task_status',
      '_links',
      'imported',
      'imported_from',
      'service_desk_reply_to',
      'epic_iid',
    ],
    graphqlOnly: [
      'titleHtml',
      'descriptionHtml',
      'webPath',
      'hidden',
      'updatedBy',
      'participants',
      'moved',
      'closedAsDuplicateOf',
      'relativePosition',
      'timeEstimate',
      'totalTimeSpent',
      'humanTimeEstimate',
      'humanTotalTimeSpent',
      'relatedMergeRequests',
      'blocked',
      'blockedByCount',
      'blockedByIssues',
      'linkedWorkItems',
      'userPermissions',
      'notes',
      'discussions',
      'commenters',
      'userDiscussionsCount',
    ],
  },
];

export default {
  graphql: {
    added: ['Project.issue', 'Project.issues', 'Project.issueStatusCounts'],
    pairs,
    fill: fillProject,
    ofSome: [
      'Note.bodyHtml',
      'Note.bodyFirstLineHtml',
      'Discussion.notes',
      'Note.systemNoteIconName',
      'Note.systemNoteMetadata',
      'Note.lastEditedAt',
      'Note.lastEditedBy',
      'Note.resolvedAt',
      'Note.resolvedBy',
      'Discussion.resolvedAt',
      'Discussion.resolvedBy',
    ],
    // Notes of other records are never edited nor resolved here.
    ways: {
      Discussion: [...ISSUES, 'discussions(first: 1)', 'nodes'],
      Note: [...ISSUES, 'notes(first: 1)', 'nodes'],
    },
    arguments: {
      'Query.issues': '(createdAfter: "2029-06-01T00:00:00Z")',
      'Project.issue': '(iid: "2")',
      'Project.issues': '(createdAfter: "2029-06-01T00:00:00Z")',
      'Group.issues': '(createdAfter: "2029-06-01T00:00:00Z")',
    },
  },
  records: {
    [ISSUE]: async (sandbox, { id }) => (await makeIssue(sandbox, id as string)).iid,
    '/issues/:id': async (sandbox) => (await makeIssue(sandbox, sandbox.project.id)).id,
  },
  requests: {
    'GET /issues': { anonymousStatus: 401 },
    'GET /issues_statistics': { anonymousStatus: 401 },
    'POST /projects/:id/issues': { notAudited },
    [`PUT ${ISSUE}`]: { params: { title: () => 'Another title' }, edit: { title: 'Another title' }, notAudited },
    [`PUT ${ISSUE}/reorder`]: {
      params: { move_after_id: async (sandbox) => (await makeIssue(sandbox, sandbox.project.id)).id },
      notAudited,
      notPublished: 'an order by hand is no change of the issue',
    },
    [`POST ${ISSUE}/move`]: elsewhere,
    [`POST ${ISSUE}/clone`]: elsewhere,
    [`POST ${ISSUE}/unsubscribe`]: { caller: (sandbox) => sandbox.people.author },
    [`POST ${ISSUE}/time_estimate`]: duration,
    [`POST ${ISSUE}/reset_time_estimate`]: {
      notAudited,
      ready: (sandbox, path) =>
        sandbox.post(`/projects/${path.id}/issues/${path.issue_iid}/time_estimate`, { duration: '1h' }),
    },
    [`POST ${ISSUE}/add_spent_time`]: duration,
    [`POST ${ISSUE}/reset_spent_time`]: {
      notAudited,
      ready: (sandbox, path) =>
        sandbox.post(`/projects/${path.id}/issues/${path.issue_iid}/add_spent_time`, { duration: '1h' }),
    },
  },
} satisfies AreaExamples;
