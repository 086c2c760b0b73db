import { sql } from '../../core/sql.js';
import { addPathHold } from '../../tenancy/projects/path-holds.js';

/** Images are known by the full path of their project: as long as a tag is there it stays, as in the public product. */
export function holdPathsOfImages(): void {
  addPathHold(async (ctx, projects) => {
    const found = await ctx.queryOne(sql`
      select 1 from projects p where ${projects}
         and exists (select 1 from container_tags t where t.project_id = p.id) limit 1`);
    return found !== null;
  });
}
