import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** A record in the provider library's own words, without the secret that names it and without its times. */
export interface ProviderRecord {
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date;
  created_at: Date;
}

const digestOf = (ctx: Context, secret: string) => ctx.services.keys.digest(secret);

/**
 * Stores a code, a refresh token or a waiting request, or changes it. Those of a grant only while it holds: its row
 * is locked meanwhile, so that a revocation comes before or sees it.
 * @returns false when the grant was revoked
 */
export async function saveProviderRecord(
  ctx: Context,
  given: { kind: string; secret: string; grantUid: string | null; payload: object; expiresAt: Date },
): Promise<boolean> {
  const stored = await ctx.query(sql`
    with held as (select id from oauth_grants where uid = ${given.grantUid}::text and revoked_at is null for share)
    insert into oauth_records (kind, digest, grant_id, payload, expires_at, created_at)
    select ${given.kind}, ${digestOf(ctx, given.secret)}, (select id from held),
           ${JSON.stringify(given.payload)}::jsonb, ${given.expiresAt}, ${ctx.clock.now()}
     where ${given.grantUid}::text is null or exists (select 1 from held)
    on conflict (digest, kind) do update set payload = excluded.payload, expires_at = excluded.expires_at
    returning id`);
  return stored.length > 0;
}

/** A record by the secret that names it, over or not; null when there is none. */
export const findProviderRecord = (ctx: Context, kind: string, secret: string): Promise<ProviderRecord | null> =>
  ctx.queryOne<ProviderRecord>(sql`
    select payload, consumed_at, expires_at, created_at from oauth_records
     where digest = ${digestOf(ctx, secret)} and kind = ${kind}`);

/** Marks a code or a refresh token as used. @returns false when somebody else was quicker */
export async function consumeProviderRecord(ctx: Context, kind: string, secret: string): Promise<boolean> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  const consumed = await ctx.query(sql`
    update oauth_records set consumed_at = ${ctx.clock.now()}
     where digest = ${digestOf(ctx, secret)} and kind = ${kind} and consumed_at is null returning id`);
  return consumed.length > 0;
}

export async function deleteProviderRecord(ctx: Context, kind: string, secret: string): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`delete from oauth_records where digest = ${digestOf(ctx, secret)} and kind = ${kind}`);
}

/** The uid of the grant that a used code or refresh token belongs to. */
export async function grantOfRecord(ctx: Context, kind: string, secret: string): Promise<string | null> {
  const found = await ctx.queryOne<{ uid: string }>(sql`
    select g.uid from oauth_records r join oauth_grants g on g.id = r.grant_id
     where r.digest = ${digestOf(ctx, secret)} and r.kind = ${kind}`);
  return found?.uid ?? null;
}
