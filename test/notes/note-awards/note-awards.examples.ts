import type { AreaExamples, PathValues, RequestExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const REQUEST = '/projects/:id/merge_requests/:merge_request_iid';
const EPIC = '/groups/:id/epics/:epic_iid';

const filled = (path: string, values: PathValues) =>
  path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? '');

/** Of all whose notes can be given emoji. */
const ofEach = <T>(make: (awards: string) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...[ISSUE, REQUEST, EPIC].map((base) => make(`${base}/notes/:note_id/award_emoji`)));

/** A comment on the epic of a number: paths of comments know its global id. */
async function noteOfEpic(world: World, { id, epic_iid: iid }: PathValues): Promise<number> {
  const { rows } = await world.app.services.db.pool.query<{ id: number }>(
    'select id from epics where namespace_id = $1 and iid = $2',
    [id, iid],
  );
  return (await world.post(`/groups/${id}/epics/${rows[0]?.id}/notes`, { body: 'Hello' })).id;
}

export default {
  records: {
    [`${EPIC}/notes/:note_id`]: noteOfEpic,
    // Each by somebody else: one user gives one emoji once.
    ...ofEach((awards) => ({
      [`${awards}/:award_id`]: async ({ app, project, people }: World, values: PathValues) => {
        const giver = awards.startsWith(EPIC) ? people.admin : await app.build.member(project, 'reporter');
        const path = filled(awards, values);
        const used: string[] = (await app.as(giver).get(path)).body.map(({ name }: { name: string }) => name);
        const free = ['rocket', 'tada', 'heart', 'eyes', 'smile', 'fire'].find((name) => !used.includes(name));
        return (await app.as(giver).post(path, { name: free })).body.id;
      },
    })),
  },
  requests: ofEach((awards): Record<string, RequestExample> => ({
    [`DELETE ${awards}/:award_id`]: { caller: (world) => world.people.admin },
    [`POST ${awards}`]: { params: { name: () => 'thumbsup' } },
  })),
} satisfies AreaExamples;
