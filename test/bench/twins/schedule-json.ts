import { SCHEDULE_SETTINGS } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { ACCESS } from './twin-database.js';

/** A row of {@link SCHEDULE_COLUMNS}. */
export interface ScheduleRow extends Record<(typeof SCHEDULE_SETTINGS)[number], unknown> {
  id: number;
  description: string;
  ref: string;
  cron: string;
  cron_timezone: string;
  next_run_at: Date | null;
  active: boolean;
  created_at: Date;
  updated_at: Date;
  owner_id: number | null;
  owner_username: string;
  owner_public_email: string | null;
  owner_name: string;
  owner_state: string;
}

export const SCHEDULE_COLUMNS = `
  s.id, s.description, s.ref, s.cron, s.cron_timezone, s.next_run_at, s.active, ${SCHEDULE_SETTINGS.map((name) => `s.${name}`).join(', ')}, s.created_at, s.updated_at,
  o.id as owner_id, o.username as owner_username, o.public_email as owner_public_email, o.name as owner_name,
  o.state as owner_state`;

/** What decides whether user `$1` may read the schedules of project `$2`, as a common table expression. */
export const WITH_RIGHTS = `with rights as (
  select p.id as project_id, p.public_jobs, p.builds_access_level, r.path as full_path, ${ACCESS} as access
    from projects p join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id where p.id = $2)`;

export interface Rights {
  project_id: number;
  public_jobs: boolean;
  builds_access_level: string;
  full_path: string;
  access: number;
}

/** Members only: the measured projects are private. */
export function mayReadSchedules<R extends Rights>(row: R | undefined): row is R {
  if (!row || row.access < 10 || row.builds_access_level === 'disabled') return false;
  return row.access >= 20 || row.public_jobs;
}

/** The schedule as lists show it. */
export function scheduleJson(row: ScheduleRow, base: string) {
  return {
    id: row.id,
    description: row.description,
    ref: row.ref,
    cron: row.cron,
    cron_timezone: row.cron_timezone,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    active: row.active,
    ...Object.fromEntries(SCHEDULE_SETTINGS.map((name) => [name, row[name]])),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    owner:
      row.owner_id === null
        ? null
        : {
            id: row.owner_id,
            username: row.owner_username,
            public_email: row.owner_public_email ?? '',
            name: row.owner_name,
            state: row.owner_state,
            locked: false,
            avatar_url: `${base}/-/identicons/users/${row.owner_id}.svg`,
            web_url: `${base}/${row.owner_username}`,
          },
  };
}
