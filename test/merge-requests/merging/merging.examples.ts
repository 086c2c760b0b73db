import { sql } from 'kysely';
import type { AreaExamples, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { makeMergeRequest } from '../merge-requests/merge-requests.examples.js';

const REQUEST = '/projects/:id/merge_requests/:merge_request_iid';
const notAudited = 'everyday work of Developers, which the merge request tells by itself';

const getSha = async (sandbox: Sandbox, { id, merge_request_iid: iid }: Record<string, string>) =>
  (await sandbox.app.as(sandbox.people.admin).get(`/projects/${id}/merge_requests/${iid}`)).body.sha as string;

/** Has it wait for its pipeline. */
async function waitForPipeline(sandbox: Sandbox, path: Record<string, string>) {
  const as = sandbox.app.as(sandbox.people.admin);
  await as.post(`/projects/${path.id}/statuses/${await getSha(sandbox, path)}`, { state: 'running' });
  await as.put(`/projects/${path.id}/merge_requests/${path.merge_request_iid}/merge`, { auto_merge: true });
}

const approve: RequestExample['ready'] = (sandbox, path) =>
  sandbox.app.as(sandbox.people.admin).post(`/projects/${path.id}/merge_requests/${path.merge_request_iid}/approve`);

/** A merge request that has not been merged or rebased yet. */
const fresh: RequestExample['unused'] = async (sandbox, { id }) => (await makeMergeRequest(sandbox, id as string)).iid;

/** A user who may push to both branches. */
const author = ({ people }: Sandbox) => people.author;
/** Who approves what others propose. */
const admin = ({ people }: Sandbox) => people.admin;

/** The bot user of a project access token. */
async function bot(sandbox: Sandbox) {
  const user = await sandbox.app.build.member(sandbox.project, 'developer');
  await sandbox.app.context().query(sql`update users set bot = true where id = ${user.id}`);
  return user;
}

export default {
  requests: {
    [`GET ${REQUEST}/merge_ref`]: { unused: fresh, caller: author },
    [`PUT ${REQUEST}/merge`]: { notAudited, unused: fresh, caller: author },
    [`POST ${REQUEST}/cancel_merge_when_pipeline_succeeds`]: {
      notAudited,
      unused: fresh,
      ready: waitForPipeline,
      caller: author,
    },
    [`PUT ${REQUEST}/rebase`]: {
      notAudited,
      notPublished: 'the push that follows tells of it',
      unused: fresh,
      caller: author,
    },
    [`POST ${REQUEST}/approve`]: { notAudited },
    [`POST ${REQUEST}/unapprove`]: { notAudited, ready: approve, caller: admin },
    [`PUT ${REQUEST}/reset_approvals`]: { notAudited, caller: bot },
  },
} satisfies AreaExamples;
