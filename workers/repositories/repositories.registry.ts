import type { WorkerDomain } from '../core/handler.js';
import { keepProject } from '../../shared/repositories/housekeeping/keep-project.js';
import {
  maintainRepositories,
  sweepLeftovers,
  callTransfers,
  dateRepositoryRefs,
  keepContents,
  removeContents,
  removeRepositories,
} from '../../shared/repositories/repositories.jobs.js';
import { handler, logWork } from '../core/handler.js';
import { sweepAll } from '../../shared/repositories/housekeeping/sweep-leftovers.js';
import { deleteProjects } from '../../shared/tenancy/tenancy.jobs.js';
import { removeProject } from '../../shared/repositories/project-lifecycle/remove-project.js';
import { callInTurn } from '../../shared/repositories/repositories/call-transfers.js';
import { dateRefs } from '../../shared/repositories/repositories/date-refs.js';
import { keepContent } from '../../shared/repositories/repositories/keep-content.js';
import { RepositoryMissing, removeRepository } from '../../shared/git/index.js';
import { removeGoneContents } from '../../shared/repositories/repositories/remove-contents.js';
import { getRepositoryPath } from '../../shared/repositories/repositories/write-refs.js';
import { measure } from './housekeeping/measure.js';
import { failureOfForks, importOfForks } from './project-forks/import.js';
import { failureOfImports, importOfProjects } from './project-imports/import.js';
import { failureOfMirrors, scheduleOfMirrors, updateOfMirrors } from './project-mirrors/update.js';
import { MoveWatch } from './housekeeping/watch-moves.js';

/** Counts and packs repositories of wikis and snippets, one at a time in each process. */
const keepOfContents = handler({
  kind: keepContents,
  batchSize: 1,
  async handle(ctx, { kind, of }) {
    try {
      await keepContent(ctx, { kind, of });
    } catch (error) {
      // Removed meanwhile: there is nothing to keep any more.
      if (!(error instanceof RepositoryMissing)) throw error;
    }
  },
});

/** Removes repositories of wikis and snippets from disk that are gone. */
const removalOfContents = handler({
  kind: removeContents,
  batchSize: 1,
  handle: (ctx) => removeGoneContents(ctx),
});

/** Packs repositories, one at a time in each process, using only idle capacity of the machine. */
const housekeeping = handler({
  kind: maintainRepositories,
  batchSize: 1,
  async handle(ctx, { project_id: id }) {
    const packed = await keepProject(ctx, id);
    ctx.log.info({ project_id: id, packed }, 'repository.maintain');
  },
});

/** Removes files of requests and jobs whose process died. */
const sweep = handler({
  kind: sweepLeftovers,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepAll(ctx), 'repository.sweep');
  },
});

/** Deletes projects whose deletion is due. */
const deleteProjectHandler = handler({
  kind: deleteProjects,
  batchSize: 5,
  longStatements: true,
  async handle(ctx, payload) {
    await removeProject(ctx, payload.project_id, new Date(payload.marked_at));
    ctx.log.info({ project_id: payload.project_id }, 'project.deleted');
  },
});

/** Gives refs their dates that were indexed without one. */
const datesOfRefs = handler({
  kind: dateRepositoryRefs,
  batchSize: 1,
  handle: (ctx) => dateRefs(ctx),
});

/** Removes repositories from disk. One that is gone already stays gone. */
const remove = handler({
  kind: removeRepositories,
  batchSize: 20,
  handle: (ctx, { project_id: id }) => removeRepository(getRepositoryPath(ctx, { id })),
});

/**
 * Triggers the transfers that are next in the queue. Several calls in a batch do so once: the first triggers all of
 * them.
 */
export const callOfTransfers = handler({
  kind: callTransfers,
  batchSize: 100,
  async handleBatch(ctx) {
    const called = await callInTurn(ctx);
    if (called > 0) ctx.log.info({ called }, 'repository_transfer.call');
  },
});

export const repositoriesWorkers: WorkerDomain = {
  handlers: [
    deleteProjectHandler,
    callOfTransfers,
    importOfForks,
    failureOfForks,
    importOfProjects,
    failureOfImports,
    scheduleOfMirrors,
    updateOfMirrors,
    failureOfMirrors,
    remove,
    datesOfRefs,
    measure,
    housekeeping,
    sweep,
    keepOfContents,
    removalOfContents,
  ],
  backgroundServices: () => [new MoveWatch()],
};
