import { sql } from 'kysely';
import type { Expression, NotNull } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { constant, sameText } from '../../core/database/expressions.js';
import { truncate } from '../read/archive-rejected.js';
import type { RunningImport } from './import-state.js';
import { attribute, selectAttribute, idAt, idValue, recordset, tables } from './restoring.js';

/** A user referenced by an archive, with their id on the instance that wrote it. */
export interface ArchivedPerson {
  source_id: number;
  /** Public address, in small letters; null where there is none. */
  email: string | null;
  username: string | null;
}

/** Who that is here. */
export interface MatchedPerson {
  source_id: number;
  /** Null if there is no matching user. */
  user_id: number | null;
  username: string | null;
  /** Why no user matches; null for a match, and for the importer if users are not matched. */
  problem: string | null;
}

/** The origin of an archive. */
export interface ArchiveOrigin {
  /** Whether this very instance wrote it. */
  readonly isOwn: boolean;
}

const MOST_NAME = 60;

/** The name of a user in error messages. */
export const personLabel = ({ username, source_id: id }: Pick<ArchivedPerson, 'source_id' | 'username'>): string =>
  username ? truncate(username, MOST_NAME) : `user ${id}`;

function getProblem(person: ArchivedPerson, isAdmin: boolean, { isOwn }: ArchiveOrigin): string {
  const leftOut = (why: string) => `${personLabel(person)} is left out: ${why}`;
  if (!isAdmin) return leftOut('people are matched only where an administrator imports');
  const noAccount = 'no user here has the id and user name of the archive';
  const noAddress = 'no user here has confirmed the public address of the archive';
  if (isOwn) return leftOut(person.email === null ? noAccount : `${noAccount}, and ${noAddress}`);
  return leftOut(
    person.email === null
      ? 'the archive has no public address, and was not written by this instance with its ids and user names'
      : noAddress,
  );
}

/**
 * Matches the users of an archive to users of this instance (group-export-import.md section 4.11), for administrators
 * only: by the public email address in the archive, if it is confirmed here; and in an archive written by this same
 * instance, by id, if the user name still matches, because a restored database may have reused an id.
 */
export async function matchPeople(
  ctx: SignedInContext,
  people: readonly ArchivedPerson[],
  origin: ArchiveOrigin,
): Promise<MatchedPerson[]> {
  const { admin, id: importer } = ctx.caller;
  const found = await tables({ ctx })
    .selectFrom(recordset(people, 'x', { source_id: 'bigint', email: 'text', username: 'text' }))
    .leftJoin('users as own', (join) =>
      join
        .on((eb) => eb.cast<boolean>(eb.val(origin.isOwn), 'boolean'))
        .onRef('own.id', '=', 'x.source_id')
        .on((eb) => sameText(eb.ref('own.username'), eb.ref('x.username').$notNull()))
        .on('own.bot', '=', constant(false))
        .on('own.internal', '=', constant(false)),
    )
    .leftJoin('users as other', (join) =>
      join
        .on((eb) => sameText(eb.ref('other.email'), eb.ref('x.email').$notNull()))
        .on('other.confirmed_at', 'is not', null)
        .on('other.bot', '=', constant(false))
        .on('other.internal', '=', constant(false)),
    )
    .select(({ fn }) => [
      'x.source_id',
      fn.coalesce('own.id', 'other.id').as('user_id'),
      fn.coalesce('own.username', 'other.username').as('username'),
    ])
    .execute();
  const users = new Map(found.map((row) => [row.source_id, row]));
  return people.map((person) => {
    const { source_id } = person;
    const { user_id = null, username = null } = users.get(source_id) ?? {};
    if (admin && user_id !== null) return { source_id, user_id, username, problem: null };
    const problem = user_id === importer ? null : getProblem(person, admin, origin);
    return { source_id, user_id: null, username: null, problem };
  });
}

const AT_ONCE = 5000;

/** Users referenced by rows `r` of one kind, each with their original id. */
function peopleInRows(ctx: SignedInContext, importId: number) {
  const rows = tables({ ctx }).selectFrom('archive_import_rows as r').where('r.import_id', '=', importId);
  const contributors = rows
    .select(['r.source_id', attribute('public_email').as('email'), attribute('username').as('username')])
    .where('r.relation', '=', constant('user_contributions'))
    .where('r.source_id', 'is not', null);
  const members = rows
    .select([
      idAt('r.data', 'user_id').as('source_id'),
      selectAttribute('user', 'public_email').as('email'),
      selectAttribute('user', 'username').as('username'),
    ])
    .where('r.relation', 'in', [constant('members'), constant('project_members')])
    .where(attribute('user_id'), 'is not', null);
  return contributors.unionAll(members);
}

/** The least of some texts that are not empty, whatever the language of the database. */
const leastText = (text: Expression<string | null>) => sql<string | null>`min(nullif(${text}, '') collate "C")`;

/** The next users referenced by the copied rows, in the order of their original ids. */
const peopleAfter = (ctx: SignedInContext, importId: number, after: number): Promise<ArchivedPerson[]> =>
  tables({ ctx })
    .selectFrom(peopleInRows(ctx, importId).as('x'))
    .select(({ fn, ref }) => [
      'x.source_id',
      leastText(fn<string | null>('lower', ['x.email'])).as('email'),
      leastText(ref('x.username')).as('username'),
    ])
    .where('x.source_id', '>', after)
    .groupBy('x.source_id')
    .orderBy('x.source_id')
    .limit(AT_ONCE)
    .$narrowType<{ source_id: NotNull }>()
    .execute();

/** Stores which users of this instance the users of a copied archive match, and why others have no match. */
export async function storePeople(
  ctx: SignedInContext,
  { id, namespace_id }: RunningImport,
  origin: ArchiveOrigin,
): Promise<void> {
  for (let after = 0; ;) {
    const people = await peopleAfter(ctx, id, after);
    const matched = await matchPeople(ctx, people, origin);
    const rows = matched.map(({ source_id, user_id, problem }) => ({ source_id, user_id, problem }));
    await tables({ ctx })
      .insertInto('archive_import_users')
      .columns(['import_id', 'namespace_id', 'source_id', 'user_id', 'problem'])
      .expression((eb) =>
        eb
          .selectFrom(recordset(rows, 'x', { source_id: 'bigint', user_id: 'bigint', problem: 'text' }))
          .select([
            idValue(id).as('import_id'),
            idValue(namespace_id).as('namespace_id'),
            'x.source_id',
            'x.user_id',
            'x.problem',
          ]),
      )
      .execute();
    const last = people.at(-1);
    if (last === undefined || people.length < AT_ONCE) return;
    after = last.source_id;
  }
}
