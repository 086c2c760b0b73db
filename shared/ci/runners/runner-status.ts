import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Aliased } from '../../core/database/tables.js';
import type { CiDatabase } from '../ci.entities.js';

/** How long ago a runner or a manager made contact. */
export const RUNNER_STATUSES = ['online', 'offline', 'stale', 'never_contacted'] as const;
export type RunnerStatus = (typeof RUNNER_STATUSES)[number];

const HOUR_MS = 3_600_000;
/** A runner without contact for longer counts as none. */
export const ONLINE_MS = 2 * HOUR_MS;
/** A runner or a manager without contact for longer is stale. */
export const STALE_MS = 7 * 24 * HOUR_MS;

interface Contacted {
  readonly contacted_at?: Date | null | undefined;
  readonly created_at: Date;
}

/** The status of a runner or a manager: one that made no contact for seven days, since it exists or ever, is stale. */
export function getRunnerStatus(
  { contacted_at: contactedAt, created_at: createdAt }: Contacted,
  now: Date,
): RunnerStatus {
  const idleMs = now.getTime() - (contactedAt ?? createdAt).getTime();
  if (idleMs > STALE_MS) return 'stale';
  if (!contactedAt) return 'never_contacted';
  return idleMs <= ONLINE_MS ? 'online' : 'offline';
}

/** Conditions on runners `r`. */
export type OfRunners = Aliased<CiDatabase, { r: 'runners' }>;

/** Builds conditions on runners `r`. */
export const onRunners = expressionBuilder<OfRunners, 'r'>();

/** The same as a condition on runners `r`. */
export function hasRunnerStatus(status: RunnerStatus, now: Date): Expression<SqlBool> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const last = onRunners.fn.coalesce('r.contacted_at', 'r.created_at');
  switch (status) {
    case 'online':
      return onRunners('r.contacted_at', '>=', before(ONLINE_MS));
    case 'offline':
      return onRunners.and([
        onRunners('r.contacted_at', '<', before(ONLINE_MS)),
        onRunners('r.contacted_at', '>=', before(STALE_MS)),
      ]);
    case 'stale':
      return onRunners(last, '<', before(STALE_MS));
    default:
      return onRunners.and([
        onRunners('r.contacted_at', 'is', null),
        onRunners('r.created_at', '>=', before(STALE_MS)),
      ]);
  }
}
