import type { AreaExamples, PathValues, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const REQUEST = '/projects/:id/merge_requests/:merge_request_iid';
const SNIPPET = '/projects/:id/snippets/:snippet_id';
const EPIC = '/groups/:id/epics/:epic_id';
const COMMIT = '/projects/:id/repository/commits/:sha';

/** A path with its parameters filled in. */
const filled = (path: string, values: PathValues) =>
  path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? '');

const getThread = (base: string) => (sandbox: Sandbox, values: PathValues) =>
  sandbox
    .post(`${filled(base, values)}/discussions`, { body: 'Why?' })
    .then((discussion) => (discussion as unknown as { id: string }).id);

const replyIn = (base: string) => async (sandbox: Sandbox, values: PathValues) =>
  (await sandbox.post(`${filled(base, values)}/discussions/${values.discussion_id}/notes`, { body: 'Because' })).id;

/** Of all that can be commented on. */
const ofEach = <T>(make: (base: string) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...[ISSUE, REQUEST, COMMIT, EPIC, SNIPPET].map(make));

const ordinary = 'what people say is in no audit log; a moderator is told of by tests of their own';

export default {
  records: ofEach((base) => ({
    [`${base}/discussions/:discussion_id`]: getThread(base),
    [`${base}/discussions/:discussion_id/notes/:note_id`]: replyIn(base),
  })),
  requests: {
    ...ofEach((base): Record<string, RequestExample> => ({
      [`POST ${base}/discussions`]: { params: { body: () => 'Why?' }, notAudited: ordinary },
      [`POST ${base}/discussions/:discussion_id/notes`]: { params: { body: () => 'Because' }, notAudited: ordinary },
      [`PUT ${base}/discussions/:discussion_id/notes/:note_id`]: {
        params: { body: () => 'Because of this' },
        edit: { body: 'Because of this' },
        caller: ({ people }) => people.author,
        notAudited: ordinary,
      },
      [`DELETE ${base}/discussions/:discussion_id/notes/:note_id`]: {
        caller: ({ people }) => people.author,
        notAudited: ordinary,
      },
    })),
    [`PUT ${ISSUE}/discussions/:discussion_id`]: { params: { resolved: () => true }, notAudited: ordinary },
    [`PUT ${REQUEST}/discussions/:discussion_id`]: { params: { resolved: () => true }, notAudited: ordinary },
  },
} satisfies AreaExamples;
