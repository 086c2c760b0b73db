import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, likeLiteral } from '../../core/database/expressions.js';
import { boolean, integer, optional, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { findNamespace, listedNamespaces, namespace, onNamespaces, ownNamespaces } from './namespace.finder.js';

const OWNER = 50;
/** Number of suffixes to try when suggesting a free path. */
const TRIES = 100;

function searched(search: string, fullPath: boolean): Expression<SqlBool> {
  const pattern = `%${likeLiteral(search)}%`;
  return fullPath
    ? onNamespaces.and([onNamespaces('r.path', 'ilike', pattern), onNamespaces('r.namespace_id', 'is not', null)])
    : onNamespaces.or([onNamespaces('n.name', 'ilike', pattern), onNamespaces('n.path', 'ilike', pattern)]);
}

/** List the namespaces that the caller belongs to; administrators get all. */
export const listNamespaces = operation({
  name: 'listNamespaces',
  summary: 'List namespaces available to the caller',
  resource: instance,
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of the name or path of the namespace.'),
    full_path_search: optional(boolean()).describe('If `true`, searches the full path instead of the name and path.'),
    owned_only: optional(boolean()).describe('If `true`, returns only namespaces that the caller owns.'),
    top_level_only: optional(boolean()).describe('If `true`, returns only top-level namespaces.'),
  },
  run(ctx, _instance, input) {
    const where: Expression<SqlBool>[] = [];
    if (input.search) where.push(searched(input.search, input.full_path_search ?? false));
    if (input.owned_only) where.push(ownNamespaces(ctx, OWNER));
    if (input.top_level_only) where.push(onNamespaces('n.parent_id', 'is', null));
    return Promise.resolve(listedNamespaces(ctx, where));
  },
});

/** Read a namespace: a group that the caller may see, or the caller's own. */
export const getNamespace = operation({
  name: 'getNamespace',
  summary: 'Read a namespace',
  resource: namespace,
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Which of these full paths namespaces have, in lower case. */
async function findUsedPaths(ctx: Context, paths: readonly string[]): Promise<Set<string>> {
  const lowerCased = paths.map((path) => path.toLowerCase());
  const rows = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('routes as r')
    .select((eb) => eb.fn<string>('lower', ['r.path']).as('path'))
    .where((eb) => eb(eb.fn('lower', ['r.path']), '=', anyOf(lowerCased, 'text')))
    .where('r.namespace_id', 'is not', null)
    .execute();
  return new Set(rows.map(({ path }) => path));
}

/** Report whether a path is taken at the top level or in a group, and suggest a free one. */
export const namespaceExists = operation({
  name: 'namespaceExists',
  summary: 'Check if a namespace exists',
  resource: instance,
  kind: 'read',
  statements: 3,
  params: {
    id: text()
      .describe('Path of the namespace, without the paths of ancestor groups.')
      .meta({ examples: ['engineering'] }),
    parent_id: optional(integer()).describe('ID of the parent group to search in; the top level if omitted.'),
  },
  async run(ctx, _instance, { id: path, parent_id: parentId }) {
    // Fails for a parent group that the caller cannot see.
    const parent = parentId === undefined ? null : await findNamespace(ctx, String(parentId));
    const getFullPath = (name: string) => (parent ? `${parent.full_path}/${name}` : name);
    const candidates = Array.from({ length: TRIES }, (_none, index) => `${path}${index + 1}`);
    const usedPaths = await findUsedPaths(ctx, [path, ...candidates].map(getFullPath));
    const isUsed = (name: string) => usedPaths.has(getFullPath(name).toLowerCase());
    if (!isUsed(path)) return { exists: false, suggests: [] };
    return { exists: true, suggests: candidates.filter((name) => !isUsed(name)).slice(0, 1) };
  },
});
