import type { AreaExamples, PathValues, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const REQUEST = '/projects/:id/merge_requests/:merge_request_iid';
const SNIPPET = '/projects/:id/snippets/:snippet_id';
const EPIC = '/groups/:id/epics/:epic_iid';

/** For all records whose notes can have award emoji. */
const ofEach = <T>(make: (awards: string) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...[ISSUE, REQUEST, SNIPPET, EPIC].map((base) => make(`${base}/notes/:note_id/award_emoji`)));

/** A comment on the epic of a number: paths of comments know its global id. */
async function noteOfEpic(sandbox: Sandbox, { id, epic_iid: iid }: PathValues): Promise<number> {
  const { rows } = await sandbox.app.services.db.pool.query<{ id: number }>(
    'select id from epics where namespace_id = $1 and iid = $2',
    [id, iid],
  );
  return (await sandbox.post(`/groups/${id}/epics/${rows[0]?.id}/notes`, { body: 'Hello' })).id;
}

export default {
  records: {
    [`${EPIC}/notes/:note_id`]: noteOfEpic,
    ...ofEach((awards) => ({
      [`${awards}/:award_id`]: async ({ app }: Sandbox, { note_id: noteId }: PathValues) => {
        const { id: giver } = await app.build.user();
        const { rows } = await app.services.db.pool.query<{ id: number }>(
          `insert into note_award_emojis (project_id, namespace_id, note_id, user_id, name, created_at, updated_at)
           select n.project_id, n.namespace_id, n.id, $2, 'rocket', now(), now() from notes n where n.id = $1
           returning id`,
          [noteId, giver],
        );
        return rows[0]?.id ?? 0;
      },
    })),
  },
  requests: ofEach((awards): Record<string, RequestExample> => ({
    [`DELETE ${awards}/:award_id`]: { caller: (sandbox) => sandbox.people.admin },
    [`POST ${awards}`]: { params: { name: () => 'thumbsup' } },
  })),
} satisfies AreaExamples;
