import type { WorkerDomain } from '../core/domain.js';
import { keepOfContents } from './repositories/keep.js';
import { removalOfContents } from './repositories/remove-contents.js';
import { housekeeping } from './housekeeping/keep.js';
import { sweep } from './housekeeping/sweep.js';
import { measure } from './housekeeping/measure.js';
import { failureOfForks, importOfForks } from './project-forks/import.js';
import { failureOfImports, importOfProjects } from './project-imports/import.js';
import { deleteProjectHandler } from './project-lifecycle/delete.js';
import { failureOfMirrors, scheduleOfMirrors, updateOfMirrors } from './project-mirrors/update.js';
import { MoveWatch } from './housekeeping/watch-moves.js';
import { datesOfRefs } from './repositories/date-refs.js';
import { remove as removeRepository } from './repositories/remove.js';
import { callOfTransfers } from './repositories/call.js';

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
    removeRepository,
    datesOfRefs,
    measure,
    housekeeping,
    sweep,
    keepOfContents,
    removalOfContents,
  ],
  backgroundServices: () => [new MoveWatch()],
};
