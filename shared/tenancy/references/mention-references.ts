import type { Context } from '../../core/context.js';
import type { ReferenceLink, ReferenceSource, WantedReference } from '../../core/markdown/reference-source.js';
import { sql } from '../../core/sql.js';
import { visibleGroupsCondition } from '../groups/group.finder.js';

interface Mentioned {
  kind: 'user' | 'group';
  id: number;
  path: string;
  name: string;
}

/** Users and groups by username and full path, whatever their case; groups as far as the caller may read them. */
async function findMentioned(ctx: Context, names: readonly string[]): Promise<Map<string, Mentioned>> {
  const rows = await ctx.query<Mentioned>(sql`
    select 'user' as "kind", u.id as "id", u.username as "path", u.name as "name" from users u
     where lower(u.username) = any(${names}::text[])
    union all
    select 'group', n.id, r.path, r.name
      from namespaces n join group_settings gs on gs.namespace_id = n.id join routes r on r.namespace_id = n.id
     where lower(r.path) = any(${names}::text[]) and ${visibleGroupsCondition(ctx)}`);
  return new Map(rows.map((row) => [row.path.toLowerCase(), row]));
}

function linkTo(ctx: Context, { kind, id, path, name }: Mentioned): ReferenceLink {
  const below = kind === 'user' ? path : `groups/${path}`;
  const data = { 'reference-type': 'user', [kind]: id };
  return { href: `${ctx.config.externalUrl}/${below}`, words: `@${path}`, title: name, data };
}

/** Mentions of one text that become links. */
const MOST = 100;

/** `@user`, `@group`, `@group/subgroup`. */
export const mentionReferences: ReferenceSource = {
  syntaxes: [{ kind: 'project_member', sigil: '@', named: ['path'], prefixed: false, most: MOST }],
  async resolve({ ctx }, wanted) {
    const found = await findMentioned(ctx, [...new Set(wanted.map(({ name }) => name.toLowerCase()))]);
    const links = new Map<WantedReference, ReferenceLink>();
    for (const one of wanted) {
      const mentioned = found.get(one.name.toLowerCase());
      if (mentioned) links.set(one, linkTo(ctx, mentioned));
    }
    return links;
  },
};
