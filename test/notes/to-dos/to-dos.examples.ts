import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { makeMergeRequest } from '../../merge-requests/merge-requests/merge-requests.examples.js';

/** A to-do of the caller: the author of everything, unless a walk uses another user. */
async function ownToDo(sandbox: Sandbox): Promise<number> {
  const issue = await sandbox.post(`/projects/${sandbox.project.id}/issues`, { title: `To do ${sandbox.unique()}` });
  const { iid } = issue as unknown as { iid: number };
  const { body } = await sandbox.app
    .as(sandbox.people.author)
    .post(`/projects/${sandbox.project.id}/issues/${iid}/todo`);
  return body.id as number;
}

export default {
  records: { '/todos/:id': ownToDo },
  requests: {
    'POST /projects/:id/issues/:issue_iid/todo': {
      unused: async (sandbox, { id }) =>
        (
          (await sandbox.post(`/projects/${id}/issues`, { title: `To do ${sandbox.unique()}` })) as unknown as {
            iid: number;
          }
        ).iid,
    },
    'POST /groups/:id/epics/:epic_iid/todo': {
      unused: async (sandbox, { id }) =>
        (
          (await sandbox.post(`/groups/${id}/epics`, { title: `To do ${sandbox.unique()}` })) as unknown as {
            iid: number;
          }
        ).iid,
    },
    'POST /projects/:id/merge_requests/:merge_request_iid/todo': {
      unused: async (sandbox, { id }) => (await makeMergeRequest(sandbox, id as string)).iid,
    },
    'POST /todos/:id/mark_as_done': { caller: (sandbox) => sandbox.people.author },
  },
} satisfies AreaExamples;
