import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { repositoryPath } from '../../shared/git/index.js';
import { getRunnersToken } from '../../shared/tenancy/group-details/group.serializer.js';
import { commitLines, fastImport } from './attacks/repositories.js';
import type { Child } from './child.js';
import type { BenchSite } from './bench-site.js';

/** Ids of the groups start above this, far beyond those of the dataset. */
const FIRST_GROUP = 40_000_000;
const SUBGROUPS = 1000;
const LABELS = 50;
const MILESTONES = 50;
const MEMBERS = 10;
const EPICS = 20;
const NOTES = 3;

const ISSUES = 50_000;
const NOTES_OF_ISSUE = 4;
const REPOSITORY_MIB = 200;
const COMMITS = 400;
const FILE_BYTES = Math.floor((REPOSITORY_MIB * 1024 * 1024) / COMMITS);

/** A tenth, or ten times, as much: `CAPSTAN_BENCH_ARCHIVE_SCALE`. */
const SCALE = Number(process.env.CAPSTAN_BENCH_ARCHIVE_SCALE ?? 1);
const scaled = (count: number) => Math.max(1, Math.round(count * SCALE));

/** Hash of a text, in the format of discussion ids. */
const discussion = (text: string) => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 40)`;

/**
 * A tree of groups set by set: 1,000 subgroups with 100,000 labels and milestones, 10,000 members, 20,000 epics and
 * 60,000 notes, `times` as many.
 * @returns the id of its top group, which the administrator owns
 */
export async function groupTree(site: BenchSite, name: string, times = 1): Promise<number> {
  const { rows: used } = await site.db.query<{ id: string }>(
    'select greatest(max(id), $1::bigint) as id from namespaces',
    [FIRST_GROUP],
  );
  const top = Number(used[0]?.id) + 1;
  const count = scaled(SUBGROUPS * times);
  const groups = Array.from({ length: count + 1 }, (_none, index) => top + index);
  const statements = [
    `insert into namespaces (id, kind, name, path, visibility, parent_id, traversal_ids, created_at, updated_at)
     select ${top} + i, 'group', '${name} ' || i, '${name}-' || i, 'private', case when i > 0 then ${top} end,
            case when i = 0 then array[${top}::bigint] else array[${top}::bigint, ${top} + i] end, now(), now()
       from generate_series(0, ${count}) i`,
    `insert into routes (namespace_id, path, name)
     select ${top} + i, '${name}-0' || case when i > 0 then '/${name}-' || i else '' end,
            '${name} 0' || case when i > 0 then ' / ${name} ' || i else '' end from generate_series(0, ${count}) i`,
    `insert into group_members (namespace_id, user_id, access_level, created_at) select ${top}, 1, 50, now()`,
    `insert into group_members (namespace_id, user_id, access_level, created_at)
     select ${top} + i, 1001 + (i * 7 + n * 31) % 500, 30, now()
       from generate_series(1, ${count}) i, generate_series(1, ${MEMBERS}) n on conflict do nothing`,
    `insert into labels (namespace_id, title, color, description, created_at, updated_at)
     select ${top} + i, 'Label ' || n, '#' || lpad(to_hex((i::bigint * 997 + n * 31) % 16777216), 6, '0'), 'What label ' || n || ' is for.',
            now(), now() from generate_series(1, ${count}) i, generate_series(1, ${LABELS}) n`,
    `insert into milestones (namespace_id, iid, title, description, due_date, created_at, updated_at)
     select ${top} + i, n, 'Milestone ' || n, 'What is due.', date '2030-01-01' + n, now(), now()
       from generate_series(1, ${count}) i, generate_series(1, ${MILESTONES}) n`,
    `insert into epics (id, namespace_id, iid, title, description, color, author_id, created_at, updated_at)
     select ${top}::bigint * 100 + i * ${EPICS} + n, ${top} + i, n, 'Epic ' || n, repeat('What it is about. ', 10), '#1068bf', 1001 + (i + n) % 500,
            now(), now() from generate_series(1, ${count}) i, generate_series(1, ${EPICS}) n`,
    `insert into notes (namespace_id, epic_id, discussion_id, note, author_id, created_at, updated_at)
     select e.namespace_id, e.id, ${discussion(`'epic ' || e.id || ' ' || n`)}, repeat('What somebody says. ', 5), 1001 + (e.id + n) % 500,
            now(), now() from epics e, generate_series(1, ${NOTES}) n where e.namespace_id between ${top} and ${top + count}`,
    `update users set public_email = email, confirmed_at = now() where id > 1000 and public_email is null`,
  ];
  for (const statement of statements) await site.db.query(statement);
  const tokens = groups.map((id) => site.keys.encrypt(`grt-token-of-group-${id}`, getRunnersToken(id)));
  await site.db.query(
    'insert into group_settings (namespace_id, runners_token) select * from unnest($1::bigint[], $2::bytea[])',
    [groups, tokens],
  );
  await site.db.query('vacuum analyze namespaces, labels, milestones, epics, notes, group_members');
  return top;
}

/** A history in which each commit adds a file that nothing makes smaller. */
function* history(): Iterable<string | Buffer> {
  const commits = scaled(COMMITS);
  for (let index = 0; index < commits; index += 1) {
    yield commitLines('main', `Add file ${index}`);
    if (index === 0) yield 'from refs/heads/main^0\n';
    yield `M 100644 inline files/${index % 20}/${index}.bin\ndata ${FILE_BYTES}\n`;
    yield randomBytes(FILE_BYTES);
    yield '\n';
  }
}

/** A project of the administrator's with 50,000 issues, 200,000 notes and a repository of 200 MB. @returns its id */
export async function largeProject(site: BenchSite, api: Child, name: string): Promise<number> {
  const response = await fetch(`${api.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': site.env.INITIAL_ROOT_TOKEN!, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, path: name, initialize_with_readme: true }),
  });
  const { id, path_with_namespace } = (await response.json()) as { id: number; path_with_namespace: string };
  if (response.status !== 201) throw new Error(`A project was answered ${response.status}.`);
  const issues = scaled(ISSUES);
  await site.db.query(
    `insert into issues (project_id, iid, title, description, author_id, user_notes_count, created_at, updated_at)
     select $1, i, 'Issue ' || i, repeat('What is wrong. ', 10), 1001 + i % 500, ${NOTES_OF_ISSUE}, now(), now()
       from generate_series(1, ${issues}) i`,
    [id],
  );
  await site.db.query(
    `insert into notes (project_id, issue_id, discussion_id, note, author_id, created_at, updated_at)
     select i.project_id, i.id, ${discussion(`'issue ' || i.id || ' ' || n`)}, repeat('What somebody says. ', 5), 1001 + (i.id + n) % 500,
            now(), now() from issues i, generate_series(1, ${NOTES_OF_ISSUE}) n where i.project_id = $1`,
    [id],
  );
  await site.db.query(
    `insert into project_counters (project_id, kind, last_value) values ($1, 'issue', $2)
     on conflict (project_id, kind) do update set last_value = excluded.last_value`,
    [id, issues],
  );
  const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), id);
  const sha = await fastImport({ id, full_path: path_with_namespace, repository }, history(), 'main');
  await site.db.query('update repository_refs set object_sha = $2, target_sha = $2 where project_id = $1', [id, sha]);
  await site.db.query('vacuum analyze issues, notes');
  return id;
}
