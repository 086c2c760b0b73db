import type { Context } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { join, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { mayReadIssuables } from '../issuables/assignable-users.js';
import type { IssuableType } from '../issuables/issuable-type.js';

interface Taken {
  readonly id: number;
  readonly project_id: number;
  readonly author_id?: number | null | undefined;
}

/** Ids of users who took part in a record by what a higher domain knows, as far as the caller may see it. */
type ParticipantSource<R extends Taken> = (ctx: Context, record: R) => Fragment;

const sources = new Map<IssuableType['kind'], ParticipantSource<never>[]>();

/** Has a higher domain say who took part in records of a kind too. Called where its registry is made. */
export function addParticipants<R extends Taken>(kind: IssuableType['kind'], source: ParticipantSource<R>): void {
  sources.set(kind, [...(sources.get(kind) ?? []), source]);
}

/**
 * Who took part in a record: author, assignees and whom it names, as far as they still may read it.
 * @param level of the project's feature that it lies in
 * @param more ids of others, each as a select
 */
export function participantsIn(
  ctx: Context,
  { kind, assignees, mentions, column }: IssuableType,
  record: Taken,
  level: string,
  more: readonly Fragment[] = [],
): TextList<UserSummary> {
  const { id, project_id, author_id } = record;
  const all = [
    sql`select ${author_id ?? 0}::bigint`,
    sql`select x.user_id from ${assignees} x where x.${column} = ${id}`,
    sql`select m.user_id from ${mentions} m where m.${column} = ${id}`,
    ...more,
    ...(sources.get(kind) ?? []).map((source) => source(ctx, record as never)),
  ];
  return {
    select: userSummaryColumns('u'),
    from: sql`users u`,
    where: [
      sql`u.id = any(array(${join(all, ' union ')}))`,
      sql`exists (select 1 from ${projectTables} where p.id = ${project_id} and ${mayReadIssuables(ctx, level)})`,
    ],
    order: [byId('u', 'asc')],
  };
}
