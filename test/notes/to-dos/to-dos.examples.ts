import type { AreaExamples } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';
import { makeMergeRequest } from '../../merge-requests/merge-requests/merge-requests.examples.js';

/** A to-do of the caller: the author of everything, unless a walk uses another user. */
async function ownToDo(world: World): Promise<number> {
  const issue = await world.post(`/projects/${world.project.id}/issues`, { title: `To do ${world.unique()}` });
  const { iid } = issue as unknown as { iid: number };
  const { body } = await world.app.as(world.people.author).post(`/projects/${world.project.id}/issues/${iid}/todo`);
  return body.id as number;
}

export default {
  records: { '/todos/:id': ownToDo },
  requests: {
    'POST /projects/:id/issues/:issue_iid/todo': {
      unused: async (world, { id }) =>
        (
          (await world.post(`/projects/${id}/issues`, { title: `To do ${world.unique()}` })) as unknown as {
            iid: number;
          }
        ).iid,
    },
    'POST /projects/:id/merge_requests/:merge_request_iid/todo': {
      unused: async (world, { id }) => (await makeMergeRequest(world, id as string)).iid,
    },
    'POST /todos/:id/mark_as_done': { caller: (world) => world.people.author },
  },
} satisfies AreaExamples;
