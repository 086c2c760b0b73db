import { subscriber } from '../core/context/subscribers.js';
import { measureContainerImages, removeContainerImages } from './packages.jobs.js';

/** What follows from what happened here and below, in this order. */
export const packagesSubscribers = [
  subscriber('images of removed projects', ['project.removed'], async (ctx) => {
    if (ctx.config.registry) await ctx.jobs.send(removeContainerImages, {});
  }),
  subscriber('sizes of images', ['container_repository.deleted'], async (ctx, events) => {
    for (const { project_id } of events)
      await ctx.jobs.send(measureContainerImages, { project_id }, { singletonKey: String(project_id) });
  }),
];
