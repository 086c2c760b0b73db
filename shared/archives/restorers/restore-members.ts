import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { containerTable } from '../../core/operations/container.js';
import { today, unexpired } from '../../tenancy/namespaces/access.js';
import { personLabel } from '../archive-imports/match-people.js';
import {
  anyNamespace,
  attribute,
  selectAttribute,
  containerId,
  copiedRows,
  HAS_NO_ID,
  idValue,
  r,
  tables,
  time,
  userWith,
} from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

const INVITED = 'an invitation that nobody accepted is left out';
const REQUESTED = 'a request for access is left out';
const EXPIRED = 'a membership that has expired is left out';
const INHERITS = 'has a higher role here by a group above';

/** Why a row cannot become a membership, regardless of its user; null if it can. @param today `YYYY-MM-DD` */
export function memberRowProblem(row: Readonly<Record<string, unknown>>, today: string): string | null {
  if (row.user_id === null) return INVITED;
  if (row.requested_at !== null) return REQUESTED;
  return row.expires_at !== null && (row.expires_at as string) <= today ? EXPIRED : null;
}

/** For a user whose role would be lower than the inherited one. */
export const inheritsProblem = (person: { source_id: number; username: string | null }): string =>
  `${personLabel(person)} is left out: ${INHERITS}`;

const USER = r.cast<number>(attribute('user_id'), 'bigint');
const EXPIRES = r.cast<string>(attribute('expires_at'), 'date');

/** {@link memberRowProblem} of a row. */
const rowProblem = (today: string): Expression<string | null> =>
  r
    .case()
    .when(attribute('user_id'), 'is', null)
    .then(sql.lit(INVITED))
    .when(attribute('requested_at'), 'is not', null)
    .then(sql.lit(REQUESTED))
    .when(EXPIRES, '<=', today)
    .then(sql.lit(EXPIRED))
    .end();

/** {@link inheritsProblem} of a row. */
const inheritsProblemOfRow: Expression<string> = sql`
  left(coalesce(nullif(${selectAttribute('user', 'username')}, ''), 'user ' || ${attribute('user_id')}), 60)
    || ${sql.lit(` is left out: ${INHERITS}`)}`;

/** Whether the row's user is the importer, in an import that matches no users. */
const isImporter = (restoring: Restoring) =>
  r.exists(
    tables(restoring)
      .selectFrom('archive_import_users as iu')
      .select('iu.source_id')
      .where('iu.import_id', '=', restoring.importId)
      .where('iu.source_id', '=', USER)
      .where('iu.user_id', 'is', null)
      .where('iu.problem', 'is', null),
  );

/** Writes down of each row what keeps it from becoming a membership. */
async function recordMemberProblems(restoring: Restoring, relation: string, day: string): Promise<void> {
  const person = tables(restoring)
    .selectFrom('archive_import_users as iu')
    .select('iu.problem')
    .where('iu.import_id', '=', restoring.importId)
    .where('iu.source_id', '=', USER)
    .$asScalar();
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: r.fn.coalesce(rowProblem(day), person) })
    .where(copiedRows(restoring, relation))
    .execute();
}

/** Adds those who have no higher role by a group above, or another one already. */
function addMembers(restoring: Restoring, relation: string, day: string) {
  const { ctx, container } = restoring;
  const { table, column } = containerTable(container.kind, 'members');
  return tables(restoring)
    .with('candidates', (db) =>
      db
        .selectFrom('archive_import_rows as r')
        .innerJoin('users as u', (join) => join.on('u.id', '=', userWith(restoring, USER)))
        .distinctOn('u.id')
        .select(['r.line', 'u.id', 'u.username', time(restoring, 'created_at').as('created_at')])
        .select([
          r.cast<number>(attribute('access_level'), 'integer').as('level'),
          r.cast<string | null>(attribute('expires_at'), 'date').as('expires_on'),
        ])
        .where(copiedRows(restoring, relation))
        .where('r.problem', 'is', null)
        .orderBy('u.id')
        .orderBy('r.line'),
    )
    .with('inserted', (db) =>
      db
        .insertInto(table)
        .columns([column, 'user_id', 'access_level', 'created_by_id', 'expires_on', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('candidates as w')
            .select([containerId(restoring).as('container_id'), 'w.id', 'w.level'])
            .select([idValue(ctx.caller.id).as('by_id'), 'w.expires_on', 'w.created_at'])
            .where(({ exists, not, selectFrom }) =>
              not(
                exists(
                  selectFrom('group_members as a')
                    .select('a.id')
                    .where('a.namespace_id', '=', anyNamespace(restoring))
                    .whereRef('a.user_id', '=', 'w.id')
                    .whereRef('a.access_level', '>', 'w.level')
                    .where(unexpired('a', day)),
                ),
              ),
            )
            .orderBy('w.line'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['user_id', 'access_level']),
    )
    .selectFrom('inserted as m')
    .innerJoin('candidates as w', 'w.id', 'm.user_id')
    .select(['m.user_id as id', 'w.username', 'm.access_level'])
    .orderBy('w.line')
    .execute();
}

/** Writes down which membership each row became, or was before. */
async function recordMembers(restoring: Restoring, relation: string): Promise<void> {
  const { ctx, container } = restoring;
  const { table, column } = containerTable(container.kind, 'members');
  const open = r.and([copiedRows(restoring, relation), r('r.problem', 'is', null)]);
  const importer = r.case().when(isImporter(restoring)).then(idValue(ctx.caller.id)).end();
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(`${table} as m`)
    .set((eb) => ({ made_id: eb.ref('m.id') }))
    .where(open)
    .where(`m.${column}`, '=', container.id)
    .where('m.user_id', '=', r.fn.coalesce(userWith(restoring, USER), importer))
    .execute();
  // An importer who is allowed to create the project already has a role in it.
  if (container.kind === 'project')
    await tables(restoring)
      .updateTable('archive_import_rows as r')
      .set({ made_id: ctx.caller.id })
      .where(open)
      .where('r.made_id', 'is', null)
      .where(isImporter(restoring))
      .execute();
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: inheritsProblemOfRow })
    .where(open)
    .where('r.made_id', 'is', null)
    .execute();
}

/** Notification levels of members in a group, if not the default. */
async function restoreNotifications(restoring: Restoring, relation: string): Promise<void> {
  const { container } = restoring;
  await tables(restoring)
    .insertInto('group_notification_settings')
    .columns(['namespace_id', 'user_id', 'level', 'events'])
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .innerJoin('group_members as m', 'm.id', 'r.made_id')
        .select(['m.namespace_id', 'm.user_id'])
        .select([
          eb.cast<number>(attribute('notification_level'), 'smallint').as('level'),
          sql`'{}'::jsonb`.as('events'),
        ])
        .where(copiedRows(restoring, relation))
        .where('m.namespace_id', '=', container.id)
        .where(eb.cast<number>(attribute('notification_level'), 'numeric'), 'in', [0, 1, 2, 4, 5]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Roles of matched users (only imports by administrators match any), unless they inherit a higher one; no user gets a
 * role above Owner (group-export-import.md section 4.11).
 */
export const memberRestorer = (relation: 'members' | 'project_members'): Restorer => ({
  relation,
  async restore(restoring) {
    const { ctx, container } = restoring;
    const day = today(ctx);
    await recordMemberProblems(restoring, relation, day);
    const members = await addMembers(restoring, relation, day);
    await recordMembers(restoring, relation);
    if (container.kind === 'group') await restoreNotifications(restoring, relation);
    ctx.record(...members.map((member) => ({ type: 'member.added' as const, container: container.summary, member })));
  },
});

/**
 * The contributors: no records are created for them, but those matched to users here are counted, and the others are
 * reported with the reason.
 */
export const contributorRestorer: Restorer = {
  relation: 'user_contributions',
  async restore(restoring) {
    const { ctx, importId } = restoring;
    const rows = copiedRows(restoring, 'user_contributions');
    await tables(restoring)
      .updateTable('archive_import_rows as r')
      .from('archive_import_users as u')
      .set((eb) => ({
        made_id: eb
          .case()
          .when('u.problem', 'is', null)
          .then(eb.fn.coalesce('u.user_id', idValue(ctx.caller.id)))
          .end(),
        problem: eb.ref('u.problem'),
      }))
      .where(rows)
      .where('u.import_id', '=', importId)
      .whereRef('u.source_id', '=', 'r.source_id')
      .execute();
    await tables(restoring)
      .updateTable('archive_import_rows as r')
      .set({ problem: HAS_NO_ID })
      .where(rows)
      .where('r.source_id', 'is', null)
      .execute();
  },
};
