import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { RunningImport } from './import-state.js';
import { matchPeople } from './match-people.js';
import type { ArchivedPerson, ArchiveOrigin } from './match-people.js';

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
    await ctx.query(sql`
      insert into archive_import_users (import_id, namespace_id, source_id, user_id, problem)
      select ${id}::bigint, ${namespace_id}::bigint, x.source_id, x.user_id, x.problem
        from jsonb_to_recordset(${JSON.stringify(matched)}::jsonb) as x (source_id bigint, user_id bigint, problem text)`);
    const last = people.at(-1);
    if (last === undefined || people.length < AT_ONCE) return;
    after = last.source_id;
  }
}
