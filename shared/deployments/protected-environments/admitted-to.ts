import type { Context } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { today } from '../../tenancy/namespaces/access.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { selectGoverning, names, questionsAbout } from './governing-query.js';
import type { DeployTarget, Deployer, QuestionValues } from './governing-query.js';

/** The targets with a governing protected environment none of whose deploy levels admits the user. */
const findDenials = prepareQuery<DeploymentsDatabase, QuestionValues, { question: number }>((db, questions) =>
  selectGoverning(db, questions)
    .selectFrom('governing as pe')
    .select('pe.question')
    .distinct()
    .where((eb) => {
      const levels = eb
        .selectFrom('protected_environment_deploy_levels as l')
        .select(eb.lit(1).as('one'))
        .whereRef('l.protected_environment_id', '=', 'pe.id')
        .where(names(questions.day));
      return eb.not(eb.exists(levels));
    }),
);

/**
 * Whether protection lets the caller deploy to each of the targets, in their order: every governing entry has to admit
 * them, by any of its deploy levels (protected-environments.md section 7). Uses current memberships and one statement.
 * The role that deploying requires anyway is not checked. Without Premium nothing is protected.
 */
export async function admittedTo(
  ctx: Context,
  targets: readonly DeployTarget[],
  deployer: Deployer = ctx.caller,
): Promise<boolean[]> {
  if (targets.length === 0 || deployer.admin === true || !ctx.hasPlan('premium')) return targets.map(() => true);
  const denials = await findDenials(ctx, questionsAbout(targets, deployer, today(ctx)));
  const closed = new Set(denials.map(({ question }) => question));
  return targets.map((_, index) => !closed.has(index));
}
