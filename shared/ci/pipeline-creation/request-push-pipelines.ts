import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { RefChange } from '../../repositories/repositories/write-refs.js';
import { isTagRef, kindOfRef } from '../../repositories/repositories/repository-ref.finder.js';
import { createPushPipelines } from '../ci.jobs.js';
import { sealPushOptions } from './push-options.js';

/** Branches and tags that point somewhere now. */
const getMoved = (changes: readonly RefChange[]) =>
  changes.flatMap(({ fullName, from, to }) =>
    to && kindOfRef(fullName) !== 'other'
      ? [{ ref: fullName, from: isTagRef(fullName) ? null : from, to: to.target_sha }]
      : [],
  );

/**
 * Has a job make the pipelines of pushes, in the transaction that moves the refs. A push of many refs makes none
 * (`git_push_pipeline_limit`), nor does what no user pushed.
 */
export async function requestPushPipelines(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'refs.updated'>[],
): Promise<void> {
  const { caller, clock, settings } = ctx;
  if (caller.kind !== 'user') return;
  const most = settings.git_push_pipeline_limit;
  const payloads = events.flatMap(({ project_id, changes, starts_pipelines: starts, push_options: options }) => {
    const refs = starts ? getMoved(changes) : [];
    if (refs.length === 0 || (most > 0 && refs.length > most)) return [];
    const sealed = sealPushOptions(ctx, options);
    const at = clock.now().toISOString();
    return [{ project_id, user_id: caller.id, at, refs, ...(sealed !== undefined && { sealed_options: sealed }) }];
  });
  await ctx.jobs.sendAll(createPushPipelines, payloads);
}

/**
 * The same for what a mirror moved, as the user who answers for it. Where there is no configuration, outside executors
 * report the jobs of these pipelines.
 */
export async function requestMirrorPipelines(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'mirror.updated'>[],
): Promise<void> {
  const { caller, clock } = ctx;
  if (caller.kind !== 'user') return;
  const at = clock.now().toISOString();
  await ctx.jobs.sendAll(
    createPushPipelines,
    events.map(({ project, changes }) => ({
      project_id: project.id,
      user_id: caller.id,
      at,
      refs: getMoved(changes),
      records: true,
    })),
  );
}
