import type { PackagesDatabase } from '../packages.entities.js';
import { addPathHold } from '../../tenancy/projects/path-holds.js';

/** Images are known by the full path of their project: as long as a tag is there it stays, as in the public product. */
export function holdPathsOfImages(): void {
  addPathHold(async (ctx, projects) => {
    const found = await ctx.em
      .getKysely<PackagesDatabase>()
      .selectFrom('projects as p')
      .select('p.id')
      .where(projects)
      .where((eb) =>
        eb.exists(
          eb.selectFrom('container_tags as t').select(eb.lit(1).as('one')).whereRef('t.project_id', '=', 'p.id'),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  });
}
