import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import { today } from '../../tenancy/namespaces/access.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { admits, inForce } from './ref-rights.js';

/** If a rule specifies who may change or remove it, the Maintainer role alone is not sufficient. @throws Forbidden */
export async function requireUnprotect(ctx: Context, project: ProjectRecord, branch: { id: number }): Promise<void> {
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const question = db.selectNoFrom((eb) => [
    eb.cast<number>(eb.val(ctx.caller.id), 'bigint').as('user_id'),
    eb.cast<boolean>(eb.val(ctx.caller.admin), 'boolean').as('admin'),
    eb.cast<number>(eb.val(project.access), 'integer').as('access'),
    eb.cast<number | null>(eb.lit(null), 'bigint').as('deploy_key_id'),
  ]);
  const time = { day: today(ctx), now: ctx.clock.now() };
  const row = await db
    .selectFrom('protected_branch_access_levels as l')
    .crossJoin(question.as('q'))
    .select((eb) => eb.fn<boolean | null>('bool_or', [admits(time)]).as('admitted'))
    .where('l.protected_branch_id', '=', branch.id)
    .where('l.action', '=', constant('unprotect'))
    .where(inForce(ctx.hasPlan('premium')))
    .executeTakeFirst();
  // Null: the rule specifies none, so the role is sufficient.
  if (row?.admitted === false) throw new Forbidden();
}
