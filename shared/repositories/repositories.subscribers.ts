import { subscriber } from '../core/context/subscribers.js';
import { keepContents, removeRepositories } from './repositories.jobs.js';
import { contentName } from './repositories/content-ref.js';
import { removeStrandedEntries } from './protected-refs/stranded-entries.js';
import { measureProjects } from '../tenancy/tenancy.jobs.js';
import { writePushEvents } from './repositories/write-push-events.js';
import { giveUpDropped } from './project-forks/give-up-dropped.js';

/** What follows from what happened below, in this order. */
export const repositoriesSubscribers = [
  subscriber('rules over refs', ['access.reduced'], async (ctx, events) => {
    for (const { of, to } of events) await removeStrandedEntries(ctx, of, to);
  }),
  subscriber('measuring', ['refs.updated', 'repository.imported', 'default_branch.changed'], async (ctx, events) => {
    for (const { project_id } of events) await ctx.jobs.send(measureProjects, { project_id });
  }),
  subscriber("repositories that are no project's", ['content.updated'], async (ctx, events) => {
    for (const { content } of events)
      await ctx.jobs.send(keepContents, { ...content }, { singletonKey: contentName(content) });
  }),
  subscriber('transfers', ['queue_jobs.dropped'], async (ctx, events) => {
    await giveUpDropped(
      ctx,
      events.flatMap(({ jobs }) => jobs),
    );
  }),
  subscriber('push events', ['repository.pushed'], async (ctx, events) => {
    for (const { project_id, pushes } of events) await writePushEvents(ctx, project_id, pushes);
  }),
  subscriber('repositories on disk', ['project.removed'], async (ctx, events) => {
    const gone = events.filter(({ repository_created: created }) => created);
    await ctx.jobs.sendAll(
      removeRepositories,
      gone.map(({ project }) => ({ project_id: project.id })),
    );
  }),
];
