import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { toDoSerializer } from '../../../shared/notes/to-dos/to-do.serializer.js';
import type { AreaExamples, GraphqlFixture } from '../../core/area-examples.js';
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

let filled: GraphqlFixture | null = null;

/**
 * To-dos of who reads everything, by turns of an epic and an issue: of the project before, since lists of the other areas
 * are of the records that these areas make, and of no others.
 */
async function fill(fixture: GraphqlFixture): Promise<void> {
  const before = filled?.app === fixture.app ? filled : null;
  filled = fixture;
  if (!before) return;
  const as = fixture.app.as(fixture.admin);
  for (const path of [`/groups/${before.group.id}/epics`, `/projects/${before.project.id}/issues`]) {
    const [first] = (await as.get(`${path}?per_page=1`)).body as [{ iid: number }];
    const { status } = await as.post(`${path}/${first.iid}/todo`);
    if (status !== 201) throw new Error(`${path}: ${status}`);
  }
}

export default {
  graphql: {
    added: ['CurrentUser.todos'],
    fill,
    ways: {
      Todo: ['currentUser', 'todos(first: $n)', 'nodes'],
      // Nobody else's are shown.
      'UserCore.todos': ['currentUser', 'todos(first: $n)', 'nodes', 'author'],
    },
    // Of two one lies in a project and one in a group; a statement reads the targets of each kind.
    ofSome: ['Todo.project', 'Todo.group', 'Todo.target'],
    pairs: [
      {
        type: 'Todo',
        serializer: toDoSerializer as Serializer<never>,
        renamed: { action_name: 'action' },
        restOnly: ['updated_at'],
      },
    ],
  },
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
