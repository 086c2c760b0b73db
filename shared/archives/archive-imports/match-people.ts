import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { RunningImport } from './import-state.js';
import { recordset, tables } from './restoring.js';

/** Somebody whom an archive names, by the id that they had where it was written. */
export interface ArchivedPerson {
  source_id: number;
  /** Public address, in small letters; null where there is none. */
  email: string | null;
  username: string | null;
}

/** Who that is here. */
export interface MatchedPerson {
  source_id: number;
  /** Null for nobody. */
  user_id: number | null;
  username: string | null;
  /** Why it is nobody; null for a user, and for the importer where people are not matched. */
  problem: string | null;
}

/** What is known of an archive. */
export interface ArchiveOrigin {
  /** Whether this very instance wrote it. */
  readonly isOwn: boolean;
}

const MOST_NAME = 60;

/** Whom a problem is about. */
export const calledInProblem = ({ username, source_id: id }: Pick<ArchivedPerson, 'source_id' | 'username'>): string =>
  username ? username.slice(0, MOST_NAME) : `user ${id}`;

function problemOf(person: ArchivedPerson, isAdmin: boolean, { isOwn }: ArchiveOrigin): string {
  const leftOut = (why: string) => `${calledInProblem(person)} is left out: ${why}`;
  if (!isAdmin) return leftOut('people are matched only where an administrator imports');
  const named = 'no user here has the id and user name of the archive';
  const addressed = 'no user here has confirmed the public address of the archive';
  if (isOwn) return leftOut(person.email === null ? named : `${named}, and ${addressed}`);
  return leftOut(
    person.email === null
      ? 'the archive has no public address, and was not written by this instance with its ids and user names'
      : addressed,
  );
}

/**
 * Who the people of an archive are here (group-export-import.md section 4.11): for administrators alone, those who
 * confirmed the address that is public in the archive; and in an archive of this very instance the users of these ids,
 * as far as they are still called so, since a database that was restored may have given an id anew.
 */
export async function matchPeople(
  ctx: SignedInContext,
  people: readonly ArchivedPerson[],
  origin: ArchiveOrigin,
): Promise<MatchedPerson[]> {
  const { admin, id: importer } = ctx.caller;
  const found = await ctx.query<{ source_id: number; user_id: number | null; username: string | null }>(sql`
    select x.source_id as "source_id", coalesce(own.id, other.id) as "user_id",
           coalesce(own.username, other.username) as "username"
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as x (source_id bigint, email text, username text)
      left join users own on ${origin.isOwn}::boolean and own.id = x.source_id
                         and lower(own.username) = lower(x.username) and not own.bot and not own.internal
      left join users other on lower(other.email) = lower(x.email) and other.confirmed_at is not null
                           and not other.bot and not other.internal`);
  const users = new Map(found.map((row) => [row.source_id, row]));
  return people.map((person) => {
    const { source_id } = person;
    const { user_id = null, username = null } = users.get(source_id) ?? {};
    if (admin && user_id !== null) return { source_id, user_id, username, problem: null };
    const problem = user_id === importer ? null : problemOf(person, admin, origin);
    return { source_id, user_id: null, username: null, problem };
  });
}

const AT_ONCE = 5000;

/** The next people whom the copied rows name, in the order of the ids that they had. */
const peopleAfter = (ctx: SignedInContext, importId: number, after: number): Promise<ArchivedPerson[]> =>
  ctx.query<ArchivedPerson>(sql`
    select x.source_id as "source_id", min(lower(nullif(x.email, '')) collate "C") as "email",
           min(nullif(x.username, '') collate "C") as "username"
      from (select r.source_id, r.data ->> 'public_email' as email, r.data ->> 'username' as username
              from archive_import_rows r
             where r.import_id = ${importId} and r.relation = 'user_contributions' and r.source_id is not null
            union all
            select (r.data ->> 'user_id')::bigint, r.data -> 'user' ->> 'public_email', r.data -> 'user' ->> 'username'
              from archive_import_rows r
             where r.import_id = ${importId} and r.relation in ('members', 'project_members')
               and r.data ->> 'user_id' is not null) x
     where x.source_id > ${after} group by x.source_id order by x.source_id limit ${AT_ONCE}`);

/** Writes down who the people of a copied archive are here, and why others are nobody. */
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
            eb.cast<number>(eb.val(id), 'bigint').as('import_id'),
            eb.cast<number>(eb.val(namespace_id), 'bigint').as('namespace_id'),
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
