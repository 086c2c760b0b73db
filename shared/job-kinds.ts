import type { JobKind } from './core/jobs.js';
import { deleteGroups } from './tenancy/groups/group.jobs.js';
import {
  followTimeZoneData,
  playPipelineSchedules,
  runPipelineSchedules,
  tendPipelineSchedules,
  tickPipelineSchedules,
} from './ci/pipeline-schedules/pipeline-schedule.jobs.js';
import { failForks, importForks } from './repositories/project-forks/project-fork.jobs.js';
import { failImports, importProjects } from './repositories/project-imports/project-import.jobs.js';
import { failMirrorUpdates, scheduleMirrors, updateMirrors } from './repositories/project-mirrors/project-mirror.jobs.js';
import { deleteProjects } from './tenancy/projects/project.jobs.js';
import { measureProjects } from './tenancy/projects/project.jobs.js';
import { deleteUsers } from './tenancy/users/user.jobs.js';
import { removeIdleBots } from './auth/resource-access-tokens/resource-access-token.jobs.js';
import { callTransfers } from './repositories/repository-transfers/repository-transfer.jobs.js';
import { dateRepositoryRefs, removeRepositories } from './repositories/repositories/repository.jobs.js';
import { tidySessions } from './auth/user-sessions/user-session.jobs.js';

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
