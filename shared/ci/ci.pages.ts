import type { PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import { projectPolicy } from '../tenancy/projects/project.policy.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { readsSchedules } from './pipeline-schedules/visible-schedules.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Pipelines and their jobs. */
    pipelines: true;
    /** Schedules, their variables and their runs. */
    pipeline_schedules: true;
  }
}

/** Who may be notified of changes to pipelines and schedules: users who can read them. */
export const ciLiveKinds: LiveKinds = {
  pipelines: { may: projectPolicy.read_pipeline },
  pipeline_schedules: { may: projectPolicy.read_pipeline_schedule, projects: readsSchedules },
};

const ofSchedule = ({ schedule }: { schedule: { project: { id: number } } }) =>
  ({ kind: 'pipeline_schedules', project_id: schedule.project.id }) as const;

/**
 * Page changes caused by events. Workers and executors do not emit an event for every change; there, the statement that
 * writes the change sends the notification.
 */
export const ciPageChanges: PageChangesOf = {
  'job.erased': ({ job }) => ({ kind: 'pipelines', project_id: job.project.id }),
  'pipeline.deleted': ({ pipeline }) => ({ kind: 'pipelines', project_id: pipeline.project.id }),
  'pipeline_schedule.created': ofSchedule,
  'pipeline_schedule.updated': ({ after }) => ofSchedule({ schedule: after }),
  'pipeline_schedule.owner_stopped': ofSchedule,
  'pipeline_schedule.ownership_taken': ofSchedule,
  'pipeline_schedule.deleted': ofSchedule,
  'pipeline_schedule_variable.created': ofSchedule,
  'pipeline_schedule_variable.updated': ofSchedule,
  'pipeline_schedule_variable.deleted': ofSchedule,
};
