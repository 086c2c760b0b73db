import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { eventually } from '../../core/processes.js';
import { importForm } from './sample-archive.js';
import { whileWorking } from '../import-plans/planned.js';
import { getBundle } from './bundle-of.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0 }));

const plan = (user: BuiltUser, archive: Buffer, fields: Record<string, string | boolean>) =>
  whileWorking(
    app,
    app.as(user).raw('POST', '/api/v4/projects/import', importForm(archive, { ...fields, dry_run: true })),
  );

const person = { id: 7, public_email: 'ann@plans.test', username: 'ann', name: 'Ann' };
const relations = {
  labels: [
    { id: 1, title: 'bug', color: '#112233' },
    { id: 2, title: 7 },
  ],
  issues: [{ id: 1, iid: 1, title: 'One', author_id: 7, notes: [{ id: 1, note: 'Hi' }] }],
  user_contributions: [person, { id: 8, username: 'unknown' }],
};

/** How many of everything that an import would make there are. */
async function counts(user: BuiltUser): Promise<unknown> {
  const { rows } = await app.services.db.pool.query(
    `select (select count(*)::int from projects where creator_id = $1) as projects,
            (select count(*)::int from archive_imports where user_id = $1) as imports,
            (select count(*)::int from archive_import_rows) as rows`,
    [user.id],
  );
  return rows[0];
}

// Contract: archives-7.project_dry_run
test('a dry run of an import tells what a project would be, who would map and what is left out, and does nothing', async (t) => {
  const admin = await app.build.admin();
  const confirmed = await app.build.user();
  await app.services.db.pool.query('update users set email = $2, confirmed_at = now() where id = $1', [
    confirmed.id,
    person.public_email,
  ]);
  const archive = sampleProject({
    attributes: { visibility_level: 20, description: 'Archived' },
    relations,
    bundle: await getBundle([]),
  });
  const expected = {
    name: 'Planned',
    full_path: `${admin.username}/planned`,
    visibility: 'public',
    replaces: null,
    repository: true,
    relations: [
      { relation: 'labels', total: 2, skipped: 1 },
      { relation: 'issues', total: 1, skipped: 0 },
      { relation: 'user_contributions', total: 2, skipped: 1 },
    ],
    users: { mapped: [{ username: confirmed.username }], mapped_count: 1, unmapped_count: 1 },
    failures_count: 2,
  };
  const { status, body } = await plan(admin, archive, { path: 'planned', name: 'Planned' });
  t.is(status, 200);
  t.like(body, expected);
  t.like(body.failures, [
    { file: 'tree/project/labels.ndjson', line: 2, relation: 'labels' },
    { file: 'tree/project/user_contributions.ndjson', line: 2, relation: 'user_contributions' },
  ]);
  t.deepEqual(await counts(admin), { projects: 0, imports: 0, rows: 0 });
  // Nothing of the archive is retained; archives of other tests exist for a while.
  await eventually(async () => {
    const { rowCount } = await app.services.db.pool.query(
      `select 1 from stored_objects where kind = 'imports' and removed_at is null`,
    );
    return rowCount === 0;
  });
  const user = await app.build.user();
  const own = await plan(user, archive, { path: 'planned', 'override_params[visibility]': 'internal' });
  t.like(own.body, { visibility: 'internal', users: { mapped: [], mapped_count: 0, unmapped_count: 2 } });
});

// Contract: archives-7.project_dry_run
test('a dry run is refused where the import would be, and names the project that would give way', async (t) => {
  const user = await app.build.user();
  const archive = sampleProject({ relations });
  const there = await app.as(user).post('/projects', { name: 'There', path: 'there' });
  t.is(there.status, 201);
  t.is((await plan(user, archive, { path: 'there' })).status, 400);
  const over = await plan(user, archive, { path: 'there', overwrite: true });
  t.is(over.status, 200, over.text);
  t.is(over.body.replaces, `${user.username}/there`);
  t.is((await app.as(user).get(`/projects/${there.body.id}`)).body.marked_for_deletion_on, null);
  t.is((await plan(user, archive, { path: 'a b' })).status, 400);
  t.is((await plan(user, Buffer.from('no archive'), { path: 'bad' })).status, 422);
  t.is((await plan(user, sampleProject({ attributes: null }), { path: 'bad' })).status, 422);
  const group = await app.build.group({ visibility: 'public' });
  t.is((await plan(user, archive, { path: 'x', namespace: group.full_path })).status, 403);
});
