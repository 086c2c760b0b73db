import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { KINDS, createContainer, tokenIn } from './containers.js';
import type { TestContainer } from './containers.js';

const app = useApp(test);

/** The audit events of a container's tokens, the oldest first. */
async function listNoted({ kind, id, owner }: TestContainer): Promise<{ events: Noted[]; text: string }> {
  const { body, text } = await app.as(owner).get(`/${kind}s/${id}/audit_events`);
  return {
    events: (body as Noted[]).filter(({ event_name: name }) => name.includes('deploy_token')).toReversed(),
    text,
  };
}

interface Noted {
  event_name: string;
  author_id: number;
  entity_type: string;
  entity_id: number;
  details: { target_id: number; target_details: string; custom_message: string };
}

// Contract: deploy-tokens-4.9
test('making, revoking and deleting a token stands in the log of its place, with name, scopes and end, never the secret', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind);
    const client = app.as(container.owner);
    const token = await tokenIn(app, container, {
      scopes: ['write_registry', 'read_repository'],
      expires_at: '2030-06-01',
    });
    // Twice, but recorded once.
    await client.post(`${container.path}/${token.id}/revoke`);
    await client.post(`${container.path}/${token.id}/revoke`);
    await client.delete(`${container.path}/${token.id}`);
    await client.delete(`${container.path}/${token.id}`);
    await tokenIn(app, container, { name: 'Lasting' });
    const { events, text } = await listNoted(container);
    const prefix = kind === 'group' ? 'group_' : '';
    t.deepEqual(
      events.map(({ event_name: name, details }) => [name, details.custom_message]),
      [
        [
          `${prefix}deploy_token_created`,
          'Created deploy token Release: read_repository write_registry, until 2030-06-01T00:00:00.000Z',
        ],
        [
          `${prefix}deploy_token_revoked`,
          'Revoked deploy token Release: read_repository write_registry, until 2030-06-01T00:00:00.000Z',
        ],
        [
          `${prefix}deploy_token_destroyed`,
          'Deleted deploy token Release: read_repository write_registry, until 2030-06-01T00:00:00.000Z',
        ],
        [`${prefix}deploy_token_created`, 'Created deploy token Lasting: read_repository, without end'],
      ],
    );
    for (const { author_id, entity_id, entity_type } of events)
      t.deepEqual([author_id, entity_id, entity_type.toLowerCase()], [container.owner.id, container.id, kind]);
    t.false(text.includes(token.token.slice(4)));
    const [row] = await app.context().query<{ found: number }>(sql`
      select count(*)::int as "found" from audit_events e where e::text like ${`%${token.token.slice(4)}%`}`);
    t.is(row?.found, 0);
  }
});

// Contract: deploy-tokens-4.9, deploy-tokens-4.4
test('of many who revoke or delete a token at once, one is told of', async (t) => {
  const container = await createContainer(app, 'project');
  const client = app.as(container.owner);
  const { id } = await tokenIn(app, container);
  const five = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, send));
  const revoked = await five(() => client.post(`${container.path}/${id}/revoke`));
  t.deepEqual(
    revoked.map(({ status, body }) => [status, body.revoked]),
    Array.from({ length: 5 }, () => [201, true]),
  );
  const deleted = await five(() => client.delete(`${container.path}/${id}`));
  t.deepEqual(deleted.map(({ status }) => status).toSorted(), [204, 404, 404, 404, 404]);
  const { events } = await listNoted(container);
  t.deepEqual(
    events.map(({ event_name: name }) => name),
    ['deploy_token_created', 'deploy_token_revoked', 'deploy_token_destroyed'],
  );
});
