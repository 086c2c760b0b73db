import { subscriber } from '../core/events.js';
import { removeStrandedEntries } from './protected-refs/stranded-entries.js';
import { removeRepositories } from './repositories/repository.jobs.js';

/** What follows from what happened below, in this order. */
export const subscribers = [
  subscriber('rules over refs', ['access.reduced'], async (ctx, events) => {
    for (const { of, to } of events) await removeStrandedEntries(ctx, of, to);
  }),
  subscriber('repositories on disk', ['project.removed'], async (ctx, events) => {
    const gone = events.filter(({ repository_created: created }) => created);
    await ctx.jobs.sendAll(
      removeRepositories,
      gone.map(({ project_id }) => ({ project_id })),
    );
  }),
];
