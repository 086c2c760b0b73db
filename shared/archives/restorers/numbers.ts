import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { ContainerKind } from '../../core/operations/container.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { tables } from '../archive-imports/restoring.js';
import type { Restoring } from '../archive-imports/restoring.js';

/** What has numbers (`iid`) in a group or project. */
export type Numbered = 'epic' | 'issue' | 'merge_request' | 'milestone';
type NumberedTable = `${Numbered}s`;

/**
 * Both counter tables have the same columns, except for the one that references the container: typed like those of
 * groups.
 */
const COUNTERS = {
  group: { table: 'namespace_counters', column: 'namespace_id' },
  project: { table: 'project_counters' as 'namespace_counters', column: 'project_id' as 'namespace_id' },
} as const satisfies Record<ContainerKind, object>;

/**
 * Keeps the numbers of a group or project from being assigned until the transaction ends.
 * @returns the last one
 */
export async function lockNumbers(restoring: Restoring, kind: Numbered): Promise<number> {
  const { container } = restoring;
  const { table, column } = COUNTERS[container.kind];
  const row = await tables(restoring)
    .insertInto(table)
    .values({ [column]: container.id, kind, last_value: 0 } as {
      namespace_id: number;
      kind: string;
      last_value: number;
    })
    .onConflict((conflict) =>
      conflict.columns([column, 'kind']).doUpdateSet((eb) => ({ last_value: eb.ref(`${table}.last_value`) })),
    )
    .returning('last_value')
    .executeTakeFirst();
  return row?.last_value ?? 0;
}

/**
 * Assigns numbers to rows: their own if it is free, otherwise the next after all existing ones. Columns `line` and
 * `number`.
 * @param rows with `line` and `iid`
 */
export function numbersFor(
  restoring: Restoring,
  rows: SelectQueryBuilder<ArchivesDatabase, never, { line: number; iid: number | null }>,
  table: NumberedTable,
  last: number,
) {
  const { container } = restoring;
  const column = COUNTERS[container.kind].column;
  const candidates = tables(restoring)
    .selectFrom(rows.as('s'))
    .select((eb) => [
      's.line',
      's.iid',
      eb
        .and([
          eb('s.iid', 'is not', null),
          eb(
            eb.fn.agg<number>('row_number').over((over) => over.partitionBy('s.iid').orderBy('s.line')),
            '=',
            1,
          ),
          eb.not(
            eb.exists(
              eb
                .selectFrom(`${table} as t` as 'milestones as t')
                .select('t.id')
                .where(`t.${column}`, '=', container.id)
                .whereRef('t.iid', '=', 's.iid'),
            ),
          ),
        ])
        .as('free'),
    ]);
  return tables(restoring)
    .selectFrom(candidates.as('k'))
    .select((eb) => [
      'k.line',
      eb
        .case()
        .when('k.free', '=', true)
        .then(eb.ref('k.iid'))
        .else(
          sql<number>`greatest(${last}::bigint, ${eb.fn.max('k.iid').filterWhere('k.free', '=', true).over()}) +
            ${eb.fn.agg<number>('row_number').over((over) => over.partitionBy('k.free').orderBy('k.line'))}`,
        )
        .end()
        .as('number'),
    ]);
}

/** Stores the last number that was assigned. */
export async function keepNumbers(restoring: Restoring, kind: Numbered, of: NumberedTable): Promise<void> {
  const { container } = restoring;
  const { table, column } = COUNTERS[container.kind];
  await tables(restoring)
    .updateTable(`${table} as c`)
    .set((eb) => ({
      last_value: eb.fn<number>('greatest', [
        'c.last_value',
        eb
          .selectFrom(`${of} as t` as 'milestones as t')
          .select((t) => t.fn.max('t.iid').as('last'))
          .where(`t.${column}`, '=', container.id)
          .$asScalar(),
      ]),
    }))
    .where(`c.${column}`, '=', container.id)
    .where('c.kind', '=', kind)
    .execute();
}
