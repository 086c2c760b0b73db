import type { AreaExamples, PathValues, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const BASES = [
  '/projects/:id/issues/:issue_iid',
  '/projects/:id/merge_requests/:merge_request_iid',
  '/groups/:id/epics/:epic_id',
  '/projects/:id/snippets/:snippet_id',
];

const filled = (path: string, values: PathValues) =>
  path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? '');

const getNote = (base: string) => async (sandbox: Sandbox, values: PathValues) =>
  (await sandbox.post(`${filled(base, values)}/notes`, { body: 'Hello' })).id;

const ofEach = <T>(make: (base: string) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...BASES.map(make));

const ordinary = 'what people say is in no audit log; a moderator is told of by tests of their own';

export default {
  graphql: { alone: ['QuickActionsStatus'] },
  records: ofEach((base) => ({ [`${base}/notes/:note_id`]: getNote(base) })),
  requests: ofEach((base): Record<string, RequestExample> => ({
    [`POST ${base}/notes`]: { params: { body: () => 'Hello' }, notAudited: ordinary },
    [`PUT ${base}/notes/:note_id`]: {
      params: { body: () => 'Hello again' },
      edit: { body: 'Hello again' },
      caller: ({ people }) => people.author,
      notAudited: ordinary,
    },
    [`DELETE ${base}/notes/:note_id`]: { caller: ({ people }) => people.author, notAudited: ordinary },
  })),
} satisfies AreaExamples;
