import test from 'ava';
import { sql } from '../../../shared/core/sql.js';
import { useApp } from '../../core/app.js';
import { KINDS, placeOf, tokenIn } from './places.js';

const app = useApp(test);

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
    const place = await placeOf(app, kind);
    const client = app.as(place.owner);
    const made = await tokenIn(app, place, { scopes: ['write_registry', 'read_repository'], expires_at: '2030-06-01' });
    // Twice, and told of once.
    await client.post(`${place.path}/${made.id}/revoke`);
    await client.post(`${place.path}/${made.id}/revoke`);
    await client.delete(`${place.path}/${made.id}`);
    await client.delete(`${place.path}/${made.id}`);
    await tokenIn(app, place, { name: 'Lasting' });
    const { body, text } = await client.get(`/${kind}s/${place.id}/audit_events`);
    const events = (body as Noted[]).filter(({ event_name: name }) => name.includes('deploy_token')).reverse();
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
      t.deepEqual([author_id, entity_id, entity_type.toLowerCase()], [place.owner.id, place.id, kind]);
    t.false(text.includes(made.token.slice(4)));
    const [row] = await app.context().query<{ found: number }>(sql`
      select count(*)::int as "found" from audit_events e where e::text like ${`%${made.token.slice(4)}%`}`);
    t.is(row?.found, 0);
  }
});
