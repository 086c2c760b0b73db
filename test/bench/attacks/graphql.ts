import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';

const AT_ONCE = 4;
/** Of one project: with 100 groups of 50 projects each that makes 70,000 connections, at a score of 185. */
const CONNECTIONS = 14;

const lists = Array.from(
  { length: CONNECTIONS },
  (_, index) => `s${index}: pipelineSchedules(first: 1) { nodes { id } }`,
).join('\n');
const QUERY = `{ groups(first: 100, sort: "id_desc") { nodes { projects(first: 100) { nodes { ${lists} } } } } }`;

/** Makes the attacker a member of all groups, since only members can see their contents. */
export async function letIntoGroups({ site: { db } }: Ground): Promise<void> {
  // The dataset's groups have no tokens, and only members would see them.
  await db.query(
    `insert into group_settings (namespace_id, runners_token)
     select n.id, convert_to('of-group-' || n.id, 'UTF8') from namespaces n where n.kind = 'group' on conflict do nothing`,
  );
  await db.query(
    `insert into group_members (namespace_id, user_id, access_level, created_at)
     select n.id, $1, 30, now() from namespaces n where n.kind = 'group' and n.parent_id is null
     on conflict do nothing`,
    [ATTACKER],
  );
}

/** The body of one of them. */
export const DEAREST = JSON.stringify({ query: QUERY });

/** A caller's deep queries: every connection of every project of every group. */
export const graphql = attack({
  name: 'attack-graphql',
  async prepare(ground) {
    await letIntoGroups(ground);
    return { token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { token }) {
    await attackers.several(AT_ONCE, () =>
      attackers.ask({ method: 'POST', path: '/api/graphql', token, body: DEAREST }),
    );
  },
});
