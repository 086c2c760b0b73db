import type { JobKind } from './core/jobs.js';
import { deleteGroups } from './groups/group.jobs.js';
import {
  followTimeZoneData,
  playPipelineSchedules,
  runPipelineSchedules,
  tendPipelineSchedules,
  tickPipelineSchedules,
} from './pipeline-schedules/pipeline-schedule.jobs.js';
import { failForks, importForks } from './project-forks/project-fork.jobs.js';
import { failImports, importProjects } from './project-imports/project-import.jobs.js';
import { failMirrorUpdates, scheduleMirrors, updateMirrors } from './project-mirrors/project-mirror.jobs.js';
import { deleteProjects } from './projects/project.jobs.js';
import { measureProjects } from './projects/project.jobs.js';
import { deleteUsers } from './users/user.jobs.js';
import { removeIdleBots } from './resource-access-tokens/resource-access-token.jobs.js';
import { callTransfers } from './repository-transfers/repository-transfer.jobs.js';
import { dateRepositoryRefs, removeRepositories } from './repositories/repository.jobs.js';
import { tidySessions } from './user-sessions/user-session.jobs.js';

/** The one list of job kinds: each gets a queue of its name when the database is migrated. */
export const jobKinds: JobKind<object>[] = [
  tickPipelineSchedules,
  runPipelineSchedules,
  playPipelineSchedules,
  deleteGroups,
  deleteProjects,
  failForks,
  importForks,
  failImports,
  importProjects,
  failMirrorUpdates,
  updateMirrors,
  scheduleMirrors,
  measureProjects,
  deleteUsers,
  removeRepositories,
  dateRepositoryRefs,
  callTransfers,
  removeIdleBots,
  followTimeZoneData,
  tendPipelineSchedules,
  tidySessions,
];
