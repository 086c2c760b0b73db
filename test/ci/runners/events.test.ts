import test from 'ava';
import { pino } from 'pino';
import { useApp } from '../../core/app.js';
import { createOwnedRunner, createRunnerAs, RUNNER_KINDS } from './runner-owners.js';

const lines: string[] = [];
const app = useApp(test, [], { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) });

interface Noted {
  event_name: string;
  details: { custom_message: string };
}

// Contract: runners.audit, runners.secret
test('what happens to a runner is in the log of its owner; no token is in any log', async (t) => {
  for (const kind of RUNNER_KINDS) {
    const { client, id, token, ownerId } = await createOwnedRunner(app, kind, { description: 'Builder' });
    const path = `/runners/${id}`;
    await client.put(path, { paused: true, tag_list: 'a' });
    // What is there already is no change.
    await client.put(path, { paused: true });
    const reset = (await client.post(`${path}/reset_authentication_token`)).body.token as string;
    const again = (await app.anonymous.post('/runners/reset_authentication_token', { token: reset })).body
      .token as string;
    await app.anonymous.post('/runners/verify', { token: again, system_id: 's_1', info: { version: '1' } });
    await app.anonymous.delete('/runners', { token: again });
    const log = kind === 'instance' ? '/audit_events?entity_type=Instance' : `/${kind}s/${ownerId}/audit_events`;
    const { body, text } = await client.get(log);
    const noted = (body as Noted[]).filter(({ event_name: name }) => name.startsWith('ci_runner')).toReversed();
    t.deepEqual(
      noted.map(({ event_name: name, details }) => [name, details.custom_message]),
      [
        ['ci_runner_created', `Created ${kind} runner #${id}`],
        ['ci_runner_updated', `Changed ${kind} runner #${id}: paused, tag_list`],
        ['ci_runner_token_reset', `Reset the token of ${kind} runner #${id}`],
        ['ci_runner_token_reset', `Reset the token of ${kind} runner #${id}`],
        ['ci_runner_deleted', `Deleted ${kind} runner #${id}`],
      ],
    );
    for (const value of [token, reset, again]) {
      t.false(text.includes(value));
      t.false(lines.some((line) => line.includes(value)));
      const { rows } = await app.services.db.pool.query('select 1 from runners r where r::text like $1', [
        `%${value}%`,
      ]);
      t.deepEqual(rows, []);
    }
  }
  t.true(lines.length > 0);
});

// Contract: runners.audit
test('assignments are in the log of the project', async (t) => {
  const runner = await createOwnedRunner(app, 'project');
  const other = await app.build.project({ empty: true });
  const admin = app.as(await app.build.admin());
  await admin.post(`/projects/${other.id}/runners`, { runner_id: runner.id });
  await admin.delete(`/projects/${other.id}/runners/${runner.id}`);
  const { body } = await admin.get(`/projects/${other.id}/audit_events`);
  const noted = (body as Noted[]).filter(({ event_name: name }) => name.startsWith('ci_runner')).toReversed();
  t.deepEqual(
    noted.map(({ event_name: name, details }) => [name, details.custom_message]),
    [
      ['ci_runner_assigned_to_project', `Assigned project runner #${runner.id} to the project`],
      ['ci_runner_unassigned_from_project', `Unassigned project runner #${runner.id} from the project`],
    ],
  );
});

// Contract: runners.limits
test.serial('a project and a group have so many runners as the instance allows', async (t) => {
  await app.set({ ci_registered_project_runners: 1, ci_registered_group_runners: 1 });
  for (const kind of ['project', 'group'] as const) {
    const first = await createOwnedRunner(app, kind);
    const attributes = { runner_type: `${kind}_type`, [`${kind}_id`]: first.ownerId };
    const answers = await Promise.all([1, 2, 3].map(() => first.client.post('/user/runners', attributes)));
    for (const { status, body } of answers)
      t.deepEqual(
        [status, body.message],
        [400, { base: [`Maximum number of ci registered ${kind} runners (1) exceeded`] }],
      );
    await first.client.delete(`/runners/${first.id}`);
    const together = await Promise.all([1, 2, 3].map(() => first.client.post('/user/runners', attributes)));
    t.deepEqual(together.map(({ status }) => status).toSorted(), [201, 400, 400]);
  }
  const runner = await createOwnedRunner(app, 'project');
  const other = await createOwnedRunner(app, 'project');
  const admin = app.as(await app.build.admin());
  const assign = () => admin.post(`/projects/${other.ownerId}/runners`, { runner_id: runner.id });
  t.is((await assign()).status, 400);
  await app.set({ ci_registered_project_runners: 0, ci_registered_group_runners: 0 });
  t.is((await assign()).status, 201);
  await createRunnerAs(other.client, { runner_type: 'project_type', project_id: other.ownerId });
});
