import { anyOf, constant } from '../../core/database/expressions.js';
import { boolean, instant, optional, wholeNumber, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { readSlice } from '../../core/database/list.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { findEnvironments, onEnvironments } from '../environments/environment.finder.js';
import { environmentPolicy, projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { basicEnvironment } from '../environments/environment.serializer.js';

const DAY = 86_400_000;
/** Days that a stopped review app is at least old, and stays before it is removed. */
const MIN_AGE = 30;
const DELAY = 7;

/** What became, or would become, of stopped review apps. */
interface ReviewAppRemoval {
  dryRun: boolean;
  scheduled: readonly EnvironmentRecord[];
  unprocessable: readonly EnvironmentRecord[];
}

export const reviewAppRemoval = serializer<ReviewAppRemoval>('ReviewAppRemoval', {
  scheduled_entries: out.records(basicEnvironment, ({ scheduled }) => scheduled),
  unprocessable_entries: out.records(basicEnvironment, ({ unprocessable }) => unprocessable),
});

/** Have stopped environments of the folder `review` removed a week from now: Maintainers and above. */
export const deleteReviewApps = operation({
  name: 'deleteReviewApps',
  summary: 'Delete stopped review apps',
  resource: project,
  can: can(projectEnvironmentPolicy, 'destroy_review_apps'),
  kind: 'write',
  params: {
    before: optional(instant()).describe(
      'Delete only review apps that last changed before this time; 30 days ago by default.',
    ),
    limit: withDefault(wholeNumber(1, 1000), 100).describe('Maximum number of review apps.'),
    dry_run: withDefault(boolean(), true).describe('If `true`, only lists the review apps that would be deleted.'),
  },
  async run(ctx, found, { before, limit, dry_run: dryRun }): Promise<ReviewAppRemoval> {
    const now = ctx.clock.now();
    const since = before ?? new Date(now.getTime() - MIN_AGE * DAY);
    const where = [
      onEnvironments('e.state', '=', constant('stopped')),
      onEnvironments('e.auto_delete_at', 'is', null),
      onEnvironments.fn<boolean>('starts_with', ['e.name', constant('review/')]),
      onEnvironments('e.updated_at', '<', since),
    ];
    const chosen = await readSlice(ctx, findEnvironments(found, where), 0, limit);
    const may = (one: EnvironmentRecord) => environmentPolicy.destroy_stopped_environment(ctx.caller, one);
    const scheduled = chosen.filter(may);
    if (!dryRun && scheduled.length > 0)
      await ctx.em
        .getKysely<DeploymentsDatabase>()
        .updateTable('environments')
        .set({ auto_delete_at: new Date(now.getTime() + DELAY * DAY) })
        .where(
          'id',
          '=',
          anyOf(
            scheduled.map(({ id }) => id),
            'bigint',
          ),
        )
        .where('state', '=', constant('stopped'))
        .execute();
    return { dryRun, scheduled, unprocessable: chosen.filter((one) => !may(one)) };
  },
});
