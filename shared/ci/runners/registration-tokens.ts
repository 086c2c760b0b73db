import { expressionBuilder } from 'kysely';
import type { Expression, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { ContainerRef } from '../../core/operations/container.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { generateToken } from '../../core/values/secrets.js';
import { newGroupRunnersToken } from '../../tenancy/group-details/group-runners-token.js';
import { getRunnersToken } from '../../tenancy/group-details/group.serializer.js';
import { GroupSettings } from '../../tenancy/groups/group.entity.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { newRunnersToken, openRunnersToken } from '../../tenancy/projects/project-secrets.js';
import type { CiDatabase } from '../ci.entities.js';
import type { RunnerOwner } from './create-runner.js';
import type { RunnerType } from './runner.entity.js';

const INSTANCE_TOKEN_PREFIX = 'irt-';
/** Longer than any that is made here. */
const MAX_TOKEN = 255;
/** Tokens that one statement digests. */
const BATCH = 500;

/** What a registration token registers runners for; null is the instance. */
interface Registration {
  readonly runner_type: RunnerType;
  readonly owner: RunnerOwner;
  /** Whether it takes anything new. */
  readonly open: boolean;
}

interface Digest {
  digest: Expression<Uint8Array>;
}

const findIds = prepareQuery((db: Kysely<CiDatabase>, { digest }: Digest) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('instance_registration_tokens as i')
      .select('i.id')
      .where('i.token_digest', '=', digest)
      .as('instance_id'),
    eb
      .selectFrom('project_settings as s')
      .select('s.project_id')
      .where('s.runners_token_digest', '=', digest)
      .limit(constant(1))
      .as('project_id'),
    eb
      .selectFrom('group_settings as g')
      .select('g.namespace_id')
      .where('g.runners_token_digest', '=', digest)
      .limit(constant(1))
      .as('group_id'),
  ]),
);

const openNamespace = expressionBuilder<{ n: CiDatabase['namespaces'] }, 'n'>();
const isOpenNamespace = openNamespace.not(
  openNamespace.or([openNamespace.ref('n.archived'), openNamespace.ref('n.frozen')]),
);

async function findProjectOwner(ctx: Context, projectId: number): Promise<Registration | null> {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      'p.namespace_id',
      'r.path as full_path',
      eb
        .and([
          isOpenNamespace,
          eb('p.archived', '=', constant(false)),
          eb('p.marked_for_deletion_at', 'is', null),
          eb('p.removal_started_at', 'is', null),
        ])
        .as('open'),
    ])
    .where('p.id', '=', projectId)
    .executeTakeFirst();
  if (!row) return null;
  const { open, ...project } = row;
  const summary = { project: { id: projectId, ...project } };
  return { runner_type: 'project_type', owner: { kind: 'project', id: projectId, summary }, open: open === true };
}

async function findGroupOwner(ctx: Context, groupId: number): Promise<Registration | null> {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .select(['r.path as full_path', isOpenNamespace.as('open')])
    .where('n.id', '=', groupId)
    .executeTakeFirst();
  if (!row) return null;
  const summary = { group: { id: groupId, full_path: row.full_path } };
  return { runner_type: 'group_type', owner: { kind: 'group', id: groupId, summary }, open: row.open === true };
}

/**
 * What a registration token registers runners for; null for one that is unknown, or of a kind of container that the
 * instance lets register none (`valid_runner_registrars`). Tokens are compared by keyed digests, which reveal nothing
 * by timing.
 */
export async function findRegistration(ctx: Context, token: string): Promise<Registration | null> {
  if (token === '' || token.length > MAX_TOKEN) return null;
  const [ids] = await findIds(ctx, { digest: ctx.services.keys.digest(token) });
  const { valid_runner_registrars: registrars } = ctx.settings;
  if (ids?.instance_id) return { runner_type: 'instance_type', owner: null, open: true };
  if (ids?.project_id && registrars.includes('project')) return findProjectOwner(ctx, ids.project_id);
  if (ids?.group_id && registrars.includes('group')) return findGroupOwner(ctx, ids.group_id);
  return null;
}

/** Replaces the token that runners of the instance register with. It is shown once. */
export async function renewInstanceToken(ctx: Context): Promise<string> {
  const token = generateToken(INSTANCE_TOKEN_PREFIX);
  const stored = { token_digest: ctx.services.keys.digest(token), created_at: ctx.clock.now() };
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('instance_registration_tokens')
    .values({ singleton: true, ...stored })
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet(stored))
    .execute();
  return token;
}

/** Replaces the token that runners of a project or group register with. @returns it */
export async function renewContainerToken(ctx: Context, { kind, id }: ContainerRef): Promise<string> {
  if (kind === 'project') {
    const { plain, columns } = newRunnersToken(ctx, id);
    await ctx.em.nativeUpdate(ProjectSettings, { project_id: id }, columns);
    return plain;
  }
  const { plain, columns } = newGroupRunnersToken(ctx, id);
  await ctx.em.nativeUpdate(GroupSettings, { namespace_id: id }, columns);
  return plain;
}

/** A sealed token that has no digest yet. */
interface SealedToken {
  id: number;
  sealed: Uint8Array;
}

/** Tokens by id with their digests; one that cannot be read, of another secret, is left out. */
function digestTokens(ctx: Context, rows: readonly SealedToken[], open: (row: SealedToken) => string | null) {
  const digested: { id: number; digest: Uint8Array }[] = [];
  for (const row of rows) {
    try {
      const token = open(row);
      if (token !== null) digested.push({ id: row.id, digest: ctx.services.keys.digest(token) });
    } catch (error) {
      ctx.log.warn({ err: error, id: row.id }, 'registration_tokens.unreadable');
    }
  }
  return digested;
}

/** Where containers have their registration tokens. */
interface TokenTable {
  readonly table: 'project_settings' | 'group_settings';
  readonly key: 'project_id' | 'namespace_id';
  readonly open: (ctx: Context, id: number, sealed: Uint8Array) => string | null;
}

const TOKEN_TABLES: readonly TokenTable[] = [
  { table: 'project_settings', key: 'project_id', open: openRunnersToken },
  {
    table: 'group_settings',
    key: 'namespace_id',
    open: (ctx, id, sealed) => ctx.services.keys.decrypt(Buffer.from(sealed), getRunnersToken(id)),
  },
];

/** Digests the next tokens of a table, after those of a container. */
async function digestSome(ctx: Context, { table, key, open }: TokenTable, after: number) {
  // Both tables have the same columns for it.
  const [name, id] = [table as 'project_settings', key as 'project_id'];
  const db = ctx.em.getKysely<CiDatabase>();
  const rows = await db
    .selectFrom(`${name} as s`)
    .select([`s.${id} as id`, 's.runners_token as sealed'])
    .where('s.runners_token_digest', 'is', null)
    .where('s.runners_token', 'is not', null)
    .where(`s.${id}`, '>', after)
    .orderBy(`s.${id}`)
    .limit(constant(BATCH))
    .$narrowType<SealedToken>()
    .execute();
  const digested = digestTokens(ctx, rows, (row) => open(ctx, row.id, row.sealed));
  const digests = unnestedColumns({
    id: [digested.map((one) => one.id), 'bigint'],
    digest: [digested.map((one) => one.digest), 'bytea'],
  });
  // A token that was replaced meanwhile has its digest.
  if (digested.length > 0)
    await db
      .updateTable(`${name} as s`)
      .from(digests.as('d'))
      .set((eb) => ({ runners_token_digest: eb.ref('d.digest') }))
      .whereRef(`s.${id}`, '=', 'd.id')
      .where('s.runners_token_digest', 'is', null)
      .execute();
  return { rows, count: digested.length };
}

/**
 * Digests the registration tokens of projects and groups that are older than their digests. Repeated it does nothing.
 * @returns how many were digested
 */
export async function digestOldTokens(ctx: Context): Promise<number> {
  let count = 0;
  for (const table of TOKEN_TABLES) {
    let last = 0;
    await inSteps(ctx, async () => {
      const { rows, count: digested } = await ctx.transaction(() => digestSome(ctx, table, last));
      count += digested;
      last = rows.at(-1)?.id ?? last;
      return rows.length === BATCH;
    });
  }
  return count;
}
