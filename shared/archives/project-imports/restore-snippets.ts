import { sql } from '../../core/sql.js';
import { importedAuthor, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import { restoreNotes } from './restore-notes.js';
import { elementsOf, elementTime } from './restoring-project.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/** The relation of snippets. */
export const SNIPPETS = 'snippets';

async function insertSnippets(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  await ctx.query(sql`
    update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('snippets', 'id'))
     where ${rowsOfRelation(restoring, SNIPPETS)}`);
  await ctx.query(sql`
    insert into snippets (id, project_id, author_id, title, description, visibility, created_at, updated_at)
    select r.made_id, ${project.id}::bigint, ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           r.data ->> 'title', r.data ->> 'description',
           case (r.data ->> 'visibility_level')::integer when 20 then 'public' when 10 then 'internal' else 'private' end,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rowsOfRelation(restoring, SNIPPETS)} order by r.line`);
}

async function restoreAwards(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    insert into snippet_award_emojis (project_id, snippet_id, user_id, name, created_at, updated_at)
    select distinct on (x.made_id, x.user_id, x.name) ${project.id}::bigint, x.made_id, x.user_id, x.name, x.time, x.time
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${elementTime(restoring)} as time
              from ${elementsOf(restoring, SNIPPETS, 'award_emoji')}) x
     where x.user_id is not null order by x.made_id, x.user_id, x.name`);
}

/** Snippets with what belongs to them, but for their files, which come from bundles afterwards. */
export const snippetRestorer: ProjectRestorer = {
  relation: SNIPPETS,
  async restore(restoring) {
    await insertSnippets(restoring);
    await restoreAwards(restoring);
    await restoreNotes(restoring, { relation: SNIPPETS, name: 'snippet' });
  },
};
