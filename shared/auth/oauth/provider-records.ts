import type { Context } from '../../core/context/context.js';
import { scalar } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import type { AuthDatabase } from '../auth.entities.js';

/** A record in the provider library's own format, without the secret that identifies it and without timestamps. */
export interface ProviderRecord {
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date;
  created_at: Date;
}

const getDigest = (ctx: Context, secret: string) => ctx.services.keys.digest(secret);

/**
 * Creates or updates a code, a refresh token or a pending request. For a record of a grant, only while the grant is
 * valid: the grant's row is locked meanwhile, so that a revocation either precedes it or sees it.
 * @returns false if the grant was revoked
 */
export async function saveProviderRecord(
  ctx: Context,
  attributes: { kind: string; secret: string; grantUid: string | null; payload: object; expiresAt: Date },
): Promise<boolean> {
  const record = queries<AuthDatabase & { held: { id: number } }>()
    .selectNoFrom((eb) => [
      eb.val(attributes.kind).as('kind'),
      eb.val(getDigest(ctx, attributes.secret)).as('digest'),
      scalar(eb.selectFrom('held').select('held.id')).as('grant_id'),
      eb.cast(eb.val(JSON.stringify(attributes.payload)), 'jsonb').as('payload'),
      eb.val(attributes.expiresAt).as('expires_at'),
      eb.val(ctx.clock.now()).as('created_at'),
    ])
    .$if(attributes.grantUid !== null, (query) =>
      query.where(({ exists, selectFrom }) => exists(selectFrom('held').select('held.id'))),
    );
  const stored = await ctx.em
    .getKysely<AuthDatabase>()
    .with('held', (db) =>
      db
        .selectFrom('oauth_grants')
        .select('id')
        .where('uid', '=', attributes.grantUid)
        .where('revoked_at', 'is', null)
        .forShare(),
    )
    .insertInto('oauth_records')
    .columns(['kind', 'digest', 'grant_id', 'payload', 'expires_at', 'created_at'])
    .expression(record)
    .onConflict((conflict) =>
      conflict
        .columns(['digest', 'kind'])
        .doUpdateSet((eb) => ({ payload: eb.ref('excluded.payload'), expires_at: eb.ref('excluded.expires_at') })),
    )
    .returning('id')
    .execute();
  return stored.length > 0;
}

/** A record by the secret that names it, over or not; null when there is none. */
export const findProviderRecord = async (ctx: Context, kind: string, secret: string): Promise<ProviderRecord | null> =>
  (await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('oauth_records')
    .select(['payload', 'consumed_at', 'expires_at', 'created_at'])
    .where('digest', '=', getDigest(ctx, secret))
    .where('kind', '=', kind)
    .$narrowType<{ payload: Record<string, unknown> }>()
    .executeTakeFirst()) ?? null;

/** Marks a code or a refresh token as used. @returns false if a concurrent request used it first */
export async function consumeProviderRecord(ctx: Context, kind: string, secret: string): Promise<boolean> {
  const consumed = await ctx.em
    .getKysely<AuthDatabase>()
    .updateTable('oauth_records')
    .set({ consumed_at: ctx.clock.now() })
    .where('digest', '=', getDigest(ctx, secret))
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .returning('id')
    .execute();
  return consumed.length > 0;
}

export async function deleteProviderRecord(ctx: Context, kind: string, secret: string): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .deleteFrom('oauth_records')
    .where('digest', '=', getDigest(ctx, secret))
    .where('kind', '=', kind)
    .execute();
}

/** The uid of the grant that a used code or refresh token belongs to. */
export async function grantOfRecord(ctx: Context, kind: string, secret: string): Promise<string | null> {
  const found = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('oauth_records as r')
    .innerJoin('oauth_grants as g', 'g.id', 'r.grant_id')
    .select('g.uid')
    .where('r.digest', '=', getDigest(ctx, secret))
    .where('r.kind', '=', kind)
    .executeTakeFirst();
  return found?.uid ?? null;
}
