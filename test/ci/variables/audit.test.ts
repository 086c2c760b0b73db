import test from 'ava';
import { pino } from 'pino';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { KINDS, createOwner, createVariable } from './variable-owners.js';
import type { TestOwner } from './variable-owners.js';

const lines: string[] = [];
const app = useApp(test, [], { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) });

interface Noted {
  event_name: string;
  details: { custom_message: string; target_details: string };
}

async function listNoted({ kind, id, client }: TestOwner): Promise<{ events: [string, string][]; text: string }> {
  const path = kind === 'instance' ? '/audit_events?entity_type=Instance' : `/${kind}s/${id}/audit_events`;
  const { body, text } = await client.get(path);
  const events = (body as Noted[]).filter(({ event_name: name }) => /^ci_.*variable/.test(name)).toReversed();
  return { events: events.map(({ event_name: name, details }) => [name, details.custom_message]), text };
}

// Contract: ci-variables.audit, ci-variables.secret
test('what happens to variables is in the log of their owner by key and scope; no value is in any log', async (t) => {
  const values = ['first-value-of-it', 'second-value-of-it', 'hidden-value-of-it'];
  for (const kind of KINDS) {
    const owner = await createOwner(app, kind);
    const { client, path } = owner;
    await createVariable(owner, { key: 'K', value: values[0] });
    await client.put(`${path}/K`, { value: values[1], protected: true, masked: true });
    // What is there already is no change.
    await client.put(`${path}/K`, { value: values[1], protected: true });
    await client.post(path, { key: 'K', value: values[2] });
    await client.put(`${path}/K`, { description: `${values[0]}${'d'.repeat(255)}` });
    await client.delete(`${path}/K`);
    await client.delete(`${path}/K`);
    const prefix = { project: 'ci_variable', group: 'ci_group_variable', instance: 'ci_instance_variable' }[kind];
    const { events, text } = await listNoted(owner);
    t.deepEqual(events, [
      [`${prefix}_created`, 'Created variable K'],
      [`${prefix}_updated`, 'Changed variable K: value, protected, masked'],
      [`${prefix}_deleted`, 'Deleted variable K'],
    ]);
    for (const value of values) t.false(text.includes(value));
    if (kind === 'instance') continue;
    await createVariable(owner, { key: 'H', value: values[2], masked_and_hidden: true, environment_scope: 'review/*' });
    const { events: scoped } = await listNoted(owner);
    t.deepEqual(scoped.at(-1), [`${prefix}_created`, 'Created variable H of environments review/*']);
  }
  for (const value of values) {
    const [row] = await app.context().query<{ found: number }>(sql`
      select count(*)::int as found from audit_events e where e::text like ${`%${value}%`}`);
    t.is(row?.found, 0);
    t.false(lines.some((line) => line.includes(value)));
  }
  t.true(lines.length > 0);
});
