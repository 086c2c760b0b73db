import type pg from 'pg';
import type { Keys } from '../../../shared/core/values/secrets.js';
import { getRunnersToken } from '../../../shared/tenancy/group-details/group.serializer.js';
import { addCallers } from './callers.js';
import { changes } from './changes.js';
import { chance } from './chance.js';
import { deliveries } from './deliveries.js';
import { groups } from './groups.js';
import { members, shares } from './members.js';
import { packages } from './packages.js';
import { people } from './people.js';
import { planning } from './planning.js';
import { projects, stars, topics } from './projects.js';
import { refsOfProjects } from './refs.js';
import { schedules } from './schedules.js';
import { discussions } from './discussions.js';
import { themes } from './themes.js';
import { groupId, getSizes } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/** The single list of a dataset's parts. An area that needs records for measurements adds its part. */
const PARTS: Part[] = [
  chance,
  people,
  groups,
  projects,
  members,
  shares,
  stars,
  topics,
  schedules,
  refsOfProjects,
  planning,
  changes,
  deliveries,
  packages,
  discussions,
  themes,
];

/** Settings of groups, each with a secret that only this instance's key reads. */
async function insertGroupSettings(db: pg.ClientBase, keys: Keys, sizes: Sizes): Promise<void> {
  const ids = Array.from({ length: sizes.groups }, (_none, index) => groupId(sizes, index + 1));
  const tokens = ids.map((id) => keys.encrypt(`grt-token-of-group-${id}`, getRunnersToken(id)));
  await db.query(
    `insert into group_settings (namespace_id, runners_token)
     select * from unnest($1::bigint[], $2::bytea[])`,
    [ids, tokens],
  );
}

/** Ids were assigned explicitly: records created later continue after them. */
const CONTINUE_IDS = [
  'users',
  'namespaces',
  'projects',
  'pipeline_schedules',
  'labels',
  'milestones',
  'issues',
  'merge_requests',
  'merge_request_versions',
  'environments',
  'deployments',
  'packages',
  'stored_objects',
  'epics',
  'snippets',
].map(
  (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 1) from ${table}))`,
);

/** A dataset requires an unused database. @throws if it contains more than the administrator */
async function requireNew(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query<{ used: boolean }>(
    `select exists (select 1 from projects) or (select count(*) from users) > 1 as used`,
  );
  if (rows[0]?.used) throw new Error('The database has users or projects already: a dataset needs an empty one.');
}

/**
 * Fills a migrated, empty database, all of it or nothing.
 * @param onFilled is called with each part and the seconds it took
 */
export async function fill(
  db: pg.ClientBase,
  keys: Keys,
  scale: number,
  onFilled: (part: string, seconds: number) => void = () => undefined,
): Promise<Sizes> {
  const sizes = getSizes(scale);
  await requireNew(db);
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    onFilled(name, (performance.now() - began) / 1000);
  };
  await db.query('begin');
  try {
    for (const { name, statements } of PARTS)
      await timed(name, async () => {
        for (const statement of statements(sizes)) await db.query(statement);
      });
    await timed('settings of groups', () => insertGroupSettings(db, keys, sizes));
    await timed('callers', () => addCallers(db, keys, sizes));
    for (const statement of CONTINUE_IDS) await db.query(statement);
    await db.query('commit');
  } catch (error) {
    await db.query('rollback');
    throw error;
  }
  await timed('statistics of the planner', () => db.query('vacuum analyze'));
  return sizes;
}
