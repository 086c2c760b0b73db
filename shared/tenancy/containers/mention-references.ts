import type { Context } from '../../core/context/context.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { visibleGroupsCondition } from '../groups/group.finder.js';

interface Mentioned {
  kind: 'user' | 'group';
  id: number;
  path: string;
  name: string;
}

/** Users and groups by username and full path, whatever their case; groups as far as the caller may read them. */
async function findMentioned(ctx: Context, names: readonly string[]): Promise<Map<string, Mentioned>> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  const groups = db
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .select([constant<'group' | 'user'>('group').as('kind'), 'n.id', 'r.path', 'r.name'])
    .where((eb) => eb(eb.fn('lower', ['r.path']), '=', anyOf(names, 'text')))
    .where(visibleGroupsCondition(ctx));
  const rows: Mentioned[] = await db
    .selectFrom('users as u')
    .select([constant<'group' | 'user'>('user').as('kind'), 'u.id', 'u.username as path', 'u.name'])
    .where((eb) => eb(eb.fn('lower', ['u.username']), '=', anyOf(names, 'text')))
    .unionAll(groups)
    .execute();
  return new Map(rows.map((row) => [row.path.toLowerCase(), row]));
}

function linkTo(ctx: Context, { kind, id, path, name }: Mentioned): ReferenceLink {
  const below = kind === 'user' ? path : `groups/${path}`;
  const data = { 'reference-type': 'user', [kind]: id };
  return { href: `${ctx.config.externalUrl}/${below}`, text: `@${path}`, title: name, data };
}

/** Mentions of one text that become links. */
const MOST = 100;

/** `@user`, `@group`, `@group/subgroup`. */
export const mentionReferences: ReferenceSource = {
  syntaxes: [{ kind: 'project_member', sigil: '@', nameForms: ['path'], prefixed: false, most: MOST }],
  async resolve({ ctx }, references) {
    const found = await findMentioned(ctx, [...new Set(references.map(({ name }) => name.toLowerCase()))]);
    const links = new Map<MarkdownReference, ReferenceLink>();
    for (const one of references) {
      const mentioned = found.get(one.name.toLowerCase());
      if (mentioned) links.set(one, linkTo(ctx, mentioned));
    }
    return links;
  },
};
