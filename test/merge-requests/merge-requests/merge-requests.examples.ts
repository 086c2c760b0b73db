import { inputsBinding } from '../../../shared/ci/pipelines/insert-pipelines.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { sql } from 'kysely';
import { mergeRequestDetails } from '../../../shared/merge-requests/merge-requests/merge-request.serializer.js';
import type { AreaExamples, GraphqlPair, GraphqlFixture, PathValues, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { mergeRequestIn } from '../merge-request-steps.js';

const ONE = '/projects/:id/merge_requests/:merge_request_iid';
const notAudited = 'everyday work, which the merge request tells by itself';
const duration = { params: { duration: () => '1h' }, notAudited };

/** A branch with a commit of its own. */
async function branchIn(sandbox: Sandbox, project: string | number): Promise<string> {
  const branch = `proposed-${sandbox.unique()}`;
  await sandbox.post(`/projects/${project}/repository/commits`, {
    branch,
    start_branch: 'main',
    commit_message: 'Propose',
    actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
  });
  return branch;
}

/** Another merge request of a project. */
export async function makeMergeRequest(sandbox: Sandbox, project: string | number) {
  const mergeRequest = await sandbox.post(`/projects/${project}/merge_requests`, {
    source_branch: await branchIn(sandbox, project),
    target_branch: 'main',
    title: `Proposal ${sandbox.unique()}`,
  });
  return mergeRequest as unknown as { id: number; iid: number };
}

type Change = (sandbox: Sandbox, path: PathValues) => object | Promise<object>;

const at = ({ id, merge_request_iid: iid }: PathValues) => `/projects/${id}/merge_requests/${iid}`;

/** An event as a change of the merge request in the path leaves it. */
const getEvent =
  (kind: string, change: Change): RecordExample =>
  async (sandbox, path) => {
    const caller = sandbox.app.as(sandbox.people.author);
    await caller.put(at(path), await change(sandbox, path));
    return (await caller.get(`${at(path)}/resource_${kind}_events?per_page=100`)).body.at(-1).id;
  };

const otherState: Change = async (sandbox, path) => {
  const { body } = await sandbox.app.as(sandbox.people.author).get(at(path));
  return { state_event: body.state === 'opened' ? 'close' : 'reopen' };
};

const newMilestone: Change = async (sandbox, { id }) => ({
  milestone_id: (await sandbox.post(`/projects/${id}/milestones`, { title: `Milestone ${sandbox.unique()}` })).id,
});

/** A merge request that has all that one can have. */
async function fillProject({ app, admin, user, project, index }: GraphqlFixture): Promise<void> {
  const as = app.as(admin);
  const { id: milestone_id } = (
    await as.post(`/projects/${project.id}/milestones`, { title: `of merge request ${index}` })
  ).body;
  const at = { id: project.id, owner: admin };
  const people = { assignee_ids: [user.id], reviewer_ids: [user.id] };
  const { id, iid, sha } = await mergeRequestIn(app, at, {
    description: '- [x] a',
    labels: `label ${index}`,
    milestone_id,
    ...people,
  });
  await app.as(user).post(`/projects/${project.id}/merge_requests/${iid}/approve`);
  await as.post(`/projects/${project.id}/merge_requests/${iid}/discussions`, { body: 'Why?' });
  const number = 1000 + index;
  const inputs = app.services.keys.encrypt('{"input":1}', inputsBinding(project.id, number));
  await app.context().query(sql`
    with made as (
      insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id, inputs, created_at, updated_at)
      values (${project.id}, ${number}, 'feature', false, ${sha}, repeat('0', 40), 'success', 'push', ${user.id},
              ${inputs}::bytea, ${app.clock.now()}, ${app.clock.now()}) returning *)
    insert into jobs (project_id, pipeline_id, name, stage, status, allow_failure, retried, created_at, updated_at)
    select project_id, id, 'build', 'build', 'success', false, false, created_at, created_at from made`);
  await app.context().query(sql`
    update merge_requests set closed_by_id = ${user.id}, updated_by_id = ${user.id}, merge_user_id = ${user.id},
           auto_merge_enabled = true where id = ${id}`);
}

/** Intended differences between the type and the equivalent REST serializer. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'MergeRequest',
    serializer: mergeRequestDetails as Serializer<never>,
    renamed: {
      merge_status: 'mergeStatusEnum',
      sha: 'diffHeadSha',
      has_conflicts: 'conflicts',
      blocking_discussions_resolved: 'mergeableDiscussionsState',
    },
    restOnly: [
      'merged_by',
      'assignee',
      'work_in_progress',
      'imported',
      'imported_from',
      'merge_after',
      'allow_maintainer_to_push',
      'references',
      'time_stats',
      'approvals_before_merge',
      'changes_count',
      'latest_build_started_at',
      'latest_build_finished_at',
      'first_deployed_to_production_at',
      'pipeline',
      'user',
      'diverged_commits_count',
    ],
    graphqlOnly: [
      'titleHtml',
      'descriptionHtml',
      'webPath',
      'project',
      'sourceProject',
      'targetProject',
      'mergeable',
      'userDiscussionsCount',
      'approvedBy',
      'approved',
      'approvalsRequired',
      'approvalsLeft',
      'updatedBy',
      'autoMergeEnabled',
      'timeEstimate',
      'humanTimeEstimate',
      'humanTotalTimeSpent',
      'totalTimeSpent',
      'participants',
      'userPermissions',
      'notes',
      'discussions',
      'commenters',
    ],
  },
];

export default {
  graphql: { added: ['Project.mergeRequest', 'Project.mergeRequests'], pairs, fill: fillProject },
  records: {
    [ONE]: async (sandbox, { id }) => (await makeMergeRequest(sandbox, id as string)).iid,
    [`${ONE}/versions/:version_id`]: async (sandbox, path) =>
      (await sandbox.app.as(sandbox.people.author).get(`${at(path)}/versions`)).body[0].id,
    // Each by a different user: a user can award each emoji only once.
    [`${ONE}/award_emoji/:award_id`]: async ({ app, project }, path) => {
      const giver = await app.build.member(project, 'reporter');
      return (await app.as(giver).post(`${at(path)}/award_emoji`, { name: 'rocket' })).body.id;
    },
    [`${ONE}/resource_state_events/:event_id`]: getEvent('state', otherState),
    [`${ONE}/resource_label_events/:event_id`]: getEvent('label', ({ unique }) => ({
      add_labels: `label ${unique()}`,
    })),
    [`${ONE}/resource_milestone_events/:event_id`]: getEvent('milestone', newMilestone),
  },
  requests: {
    'GET /merge_requests': { anonymousStatus: 401 },
    'POST /projects/:id/merge_requests': {
      namesOthers: 'branches',
      params: { source_branch: (sandbox) => branchIn(sandbox, sandbox.project.id), target_branch: () => 'main' },
      notAudited,
    },
    [`PUT ${ONE}`]: { params: { title: () => 'Another title' }, edit: { title: 'Another title' }, notAudited },
    [`GET ${ONE}/raw_diffs`]: { ownForm: 'a diff, as git prints it' },
    [`POST ${ONE}/unsubscribe`]: { caller: (sandbox) => sandbox.people.author },
    [`POST ${ONE}/time_estimate`]: duration,
    [`POST ${ONE}/reset_time_estimate`]: {
      notAudited,
      ready: (sandbox, path) => sandbox.post(`${at(path)}/time_estimate`, { duration: '1h' }),
    },
    [`POST ${ONE}/add_spent_time`]: duration,
    [`POST ${ONE}/reset_spent_time`]: {
      notAudited,
      ready: (sandbox, path) => sandbox.post(`${at(path)}/add_spent_time`, { duration: '1h' }),
    },
    [`POST ${ONE}/award_emoji`]: { params: { name: () => 'thumbsup' } },
    [`DELETE ${ONE}/award_emoji/:award_id`]: { caller: (sandbox) => sandbox.people.admin },
  },
} satisfies AreaExamples;
