import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);
const MANY = 10_000;

// Contract: notes.many-mentions
test('of 10,000 mentions 100 become links and are kept, the rest stay text', async (t) => {
  t.timeout(120_000);
  const { as, issue, notes } = await issueFixture(app);
  const names: string[] = [];
  for (let count = 0; count < 120; count += 1) names.push((await app.build.user()).username);
  const body = Array.from({ length: MANY }, (_none, at) => `@${names[at % names.length]}`).join(' ');
  const response = await as.post(notes, { body });
  t.is(response.status, 201);
  t.is(response.body.body.length, body.length);
  await app.work();
  const query = `query ($id: NoteID!) { note(id: $id) { bodyHtml } }`;
  const { data } = (await as.graphql(query, { id: `gid://service/Note/${response.body.id}` })).body;
  const links = (data.note.bodyHtml as string).match(/<a [^>]*gfm-project_member/g) ?? [];
  t.is(links.length, 100);
  t.true((data.note.bodyHtml as string).includes(`@${names[110]}`));
  const rows = await app.services.db.query<{ count: number }>(sql`
    select count(*)::int as "count" from note_mentions m where m.note_id = ${response.body.id}`);
  t.is(rows[0]?.count, 100);
  t.is((await as.get(`${notes}/${response.body.id}`)).body.noteable_id, issue.id);
});

// Contract: notes.many-commands
test('10,000 quick actions are refused, fifty are done, in quotes and code none', async (t) => {
  const { as, path, notes } = await issueFixture(app);
  const titles = (count: number) => Array.from({ length: count }, (_none, at) => `/title Number ${at}`).join('\n');
  const rejection = await as.post(notes, { body: titles(MANY) });
  t.deepEqual(
    [rejection.status, rejection.body.message],
    [400, '400 Bad request - Note {:note=>["has too many quick actions (maximum is 50)"]}'],
  );
  t.is((await as.get(path)).body.title, 'An issue');
  t.is((await as.post(notes, { body: titles(50) })).status, 202);
  t.is((await as.get(path)).body.title, 'Number 49');
  const quoted = `> /close\n\n\`\`\`\n${'/close\n'.repeat(MANY)}\`\`\`\n\`/close\``;
  t.is((await as.post(notes, { body: quoted })).body.body, quoted);
  t.is((await as.get(path)).body.state, 'opened');
});
