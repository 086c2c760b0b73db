import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { getScopes } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { PackagesDatabase } from '../packages.entities.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { containerImagePolicy } from './container-image.policy.js';
import { isRepositoryPath } from './registry-scopes.js';
import type { RegistryScope } from './registry-scopes.js';
import { signRegistryToken } from './registry-token.js';
import type { RegistryAccess, RegistryToken } from './registry-token.js';

interface Needed {
  ability: keyof typeof containerImagePolicy;
  /** Scopes of which a token needs one. */
  scopes: readonly string[];
}

/** What each action of the registry needs (deploy-tokens.md section 4.6; of people's tokens as in the public product). */
const ACTIONS: ReadonlyMap<string, Needed> = new Map<string, Needed>([
  ['pull', { ability: 'read_container_image', scopes: ['api', 'read_api', 'read_registry'] }],
  ['push', { ability: 'create_container_image', scopes: ['api', 'write_registry'] }],
  ['delete', { ability: 'destroy_container_image', scopes: ['api'] }],
  ['*', { ability: 'admin_container_image', scopes: ['api'] }],
]);

const holds = ({ caller }: Context<Caller>, accepted: readonly string[]): boolean => {
  const held = getScopes(caller);
  return held === null || accepted.some((scope) => held.includes(scope));
};

/** The paths that a repository's project can have: two segments at least. */
export function getPathPrefixes(name: string): string[] {
  const segments = name.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('/'));
}

/** Condition on route `r`: the images at its path do not belong to another project that had the path before. */
export function ofNobodyElse(path: string): Expression<SqlBool> {
  const eb = expressionBuilder<Aliased<PackagesDatabase, { r: 'routes' }>, 'r'>();
  const one = eb.lit(1).as('one');
  const removed = eb.selectFrom('instance_removed_images as i').select(one).where('i.path', '=', path);
  const others = eb
    .selectFrom('container_repositories as o')
    .select(one)
    .where('o.path', '=', path)
    .whereRef('o.project_id', '<>', 'r.project_id');
  return eb.and([eb.not(eb.exists(removed)), eb.not(eb.exists(others))]);
}

/**
 * The project of a repository, found by the repository's name in the registry's spelling; null if no such project is
 * visible to the caller, or if images of another project at that path have not been deleted yet.
 */
async function findProjectOfImages(ctx: Context<Caller>, name: string): Promise<ProjectRecord | null> {
  if (!isRepositoryPath(name)) return null;
  const row = await ctx.em
    .getKysely<PackagesDatabase>()
    .selectFrom('routes as r')
    .select('r.project_id')
    .where((eb) => eb(eb.fn<string>('lower', ['r.path']), '=', anyOf(getPathPrefixes(name), 'text')))
    .where('r.project_id', 'is not', null)
    .where(ofNobodyElse(name))
    .orderBy((eb) => eb.fn('length', ['r.path']), 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.project_id ? findVisibleProject(ctx, row.project_id) : null;
}

async function grant(ctx: Context<Caller>, { type, name, actions }: RegistryScope): Promise<RegistryAccess | null> {
  if (type === 'registry') {
    const may = name === 'catalog' && ctx.caller.kind === 'user' && ctx.caller.admin && holds(ctx, ['api']);
    return may && actions.includes('*') ? { type, name, actions: ['*'] } : null;
  }
  if (type !== 'repository') return null;
  const project = await findProjectOfImages(ctx, name);
  if (!project) return null;
  const granted = actions.filter((action) => {
    const needed = ACTIONS.get(action);
    return needed && holds(ctx, needed.scopes) && containerImagePolicy[needed.ability](ctx.caller, project);
  });
  return granted.length > 0 ? { type, name, actions: granted } : null;
}

/** The subject of a token. */
function getTokenSubject({ caller }: Context<Caller>): string {
  if (caller.kind === 'user') return caller.user.username;
  return caller.kind === 'anonymous' ? '' : caller.name;
}

/** Scopes that open something of the registry. */
const OPENING = [...new Set([...ACTIONS.values()].flatMap(({ scopes }) => scopes))];

/**
 * A registry token with those of the requested permissions that the caller has; the others are left out, as the
 * protocol specifies, and are refused by the registry.
 * @throws NotFound if no registry is configured, Forbidden for tokens without a registry scope and for anonymous
 * callers that request nothing
 */
export async function grantRegistryToken(
  ctx: Context<Caller>,
  scopes: readonly RegistryScope[],
): Promise<RegistryToken> {
  if (!ctx.config.registry) throw NotFound.saying('registry not enabled');
  if (!holds(ctx, OPENING)) throw Forbidden.saying('access forbidden');
  if (scopes.length === 0 && ctx.caller.kind === 'anonymous') throw Forbidden.saying('access forbidden');
  const granted = await Promise.all(scopes.map((scope) => grant(ctx, scope)));
  return signRegistryToken(
    ctx,
    getTokenSubject(ctx),
    granted.filter((access) => access !== null),
  );
}
