import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

const LEVELS = [0, 10, 20, 30, 40, 50];
const NAMES = ['alpha', 'beta', 'alpha beta', 'gamma_%'];

interface CreatedProject {
  id: number;
  name: string;
  visibility: string;
  archived: boolean;
  marked: boolean;
  starred: boolean;
  level: number;
  stars: number;
}

let member: BuiltUser;
const projects: CreatedProject[] = [];

test.serial.before('projects of every kind', async () => {
  const owner = await app.build.user();
  member = await app.build.user();
  for (let index = 0; index < 24; index += 1) {
    const visibility = ['private', 'internal', 'public'][index % 3] as string;
    const name = `${NAMES[index % 4]} ${index}`;
    const { id } = await app.build.project({ owner, empty: true, visibility });
    const project: CreatedProject = {
      id,
      name,
      visibility,
      archived: index % 5 === 0,
      marked: index % 7 === 0,
      starred: index % 2 === 0,
      level: LEVELS[index % 6] as number,
      stars: index % 4,
    };
    if (project.level > 0) await app.build.member({ id }, 'guest', member);
    await app.context().query(sql`
      update project_members set access_level = ${project.level} where project_id = ${id} and user_id = ${member.id}`);
    if (project.starred)
      await app.context().query(sql`
        insert into project_stars (project_id, user_id, created_at) values (${id}, ${member.id}, ${app.clock.now()})`);
    await app.context().query(sql`
      update projects set name = ${name}, path = 'path', star_count = ${project.stars}, archived = ${project.archived},
             marked_for_deletion_at = ${project.marked ? app.clock.now() : null} where id = ${id}`);
    projects.push(project);
  }
});

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const anyFilters = fc.record({
  archived: maybe(fc.boolean()),
  active: maybe(fc.boolean()),
  visibility: maybe(fc.constantFrom('private', 'internal', 'public')),
  owned: maybe(fc.boolean()),
  membership: maybe(fc.boolean()),
  starred: maybe(fc.boolean()),
  min_access_level: maybe(fc.constantFrom(10, 15, 20, 30, 40, 50)),
  search: maybe(fc.constantFrom('alpha', 'beta alpha', '_%', 'gamma', '1')),
  id_after: maybe(fc.nat({ max: 23 })),
  id_before: maybe(fc.nat({ max: 23 })),
  sort: maybe(fc.constantFrom('asc', 'desc')),
  order_by: maybe(fc.constantFrom('id', 'created_at', 'name', 'star_count')),
});

type Filters = typeof anyFilters extends fc.Arbitrary<infer W> ? W : never;

/** The projects that a member should see according to the contract. */
function expected(filters: Filters): number[] {
  const least = filters.owned ? 50 : (filters.min_access_level ?? (filters.membership ? 10 : 0));
  const matching = projects.filter(
    (one) =>
      (one.visibility !== 'private' || one.level >= 10) &&
      one.level >= least &&
      (filters.archived === undefined || one.archived === filters.archived) &&
      (filters.active === undefined || (!one.archived && !one.marked) === filters.active) &&
      (filters.visibility === undefined || one.visibility === filters.visibility) &&
      (!filters.starred || one.starred) &&
      (filters.search ?? '').split(' ').every((word) => one.name.includes(word)) &&
      (filters.id_after === undefined || one.id > (projects[filters.id_after]?.id ?? 0)) &&
      (filters.id_before === undefined || one.id < (projects[filters.id_before]?.id ?? 0)),
  );
  const key = (one: CreatedProject) =>
    filters.order_by === 'star_count' ? one.stars : filters.order_by === 'name' ? one.name : one.id;
  const order = (a: CreatedProject, b: CreatedProject) => (key(a) === key(b) ? a.id - b.id : key(a) < key(b) ? -1 : 1);
  const sorted = matching.toSorted(order).map(({ id }) => id);
  return filters.sort === 'asc' ? sorted : sorted.toReversed();
}

// Contract: projects-2.together
test('any filters together, contradictory ones too, give what each of them allows, in the order asked for', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyFilters, async (filters) => {
      const query = new URLSearchParams({ per_page: '100' });
      for (const [name, value] of Object.entries(filters))
        if (value !== undefined)
          query.set(name, String(name === 'id_after' || name === 'id_before' ? projects[Number(value)]?.id : value));
      const { status, body } = await app.as(member).get(`/projects?${query.toString()}`);
      t.is(status, 200);
      t.deepEqual(
        (body as { id: number }[]).map(({ id }) => id),
        expected(filters),
        query.toString(),
      );
    }),
    { numRuns: 150 },
  );
});
