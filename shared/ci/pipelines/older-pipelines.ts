import type { Kysely } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';

/** Pipelines that are older than this many milliseconds are never canceled for a newer one. */
const CANCELABLE_AGE = 7 * 86_400_000;

/**
 * The ids of pipelines `old` that new ones may make redundant, in order and with their rows locked: of the same refs, for
 * other commits, not of schedules, where the project cancels them (`auto_cancel_pending_pipelines`).
 */
export const selectOlderPipelines = (
  db: Pick<Kysely<CiDatabase>, 'selectFrom'>,
  newIds: readonly number[],
  { kind, now }: { kind: 'config' | 'record'; now: Date },
) =>
  db
    .selectFrom('pipelines as fresh')
    .innerJoin('project_settings as s', (join) =>
      join
        .onRef('s.project_id', '=', 'fresh.project_id')
        .on('s.auto_cancel_pending_pipelines', '=', constant('enabled')),
    )
    .innerJoin('pipelines as old', (join) =>
      join
        .onRef('old.project_id', '=', 'fresh.project_id')
        .onRef('old.ref', '=', 'fresh.ref')
        .onRef('old.tag', '=', 'fresh.tag')
        .onRef('old.id', '<', 'fresh.id'),
    )
    .select('old.id')
    .where('fresh.id', '=', anyOf(newIds, 'bigint'))
    .whereRef('old.sha', '<>', 'fresh.sha')
    .where('old.kind', '=', constant(kind))
    .where('old.source', '<>', constant('schedule'))
    .where('old.created_at', '>', new Date(now.getTime() - CANCELABLE_AGE))
    .orderBy('old.id')
    .forNoKeyUpdate('old');
