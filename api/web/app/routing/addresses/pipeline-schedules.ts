/** Whose schedules a page shows: all that the person may see, or those of one project or group. */
export interface SchedulesOf {
  kind: 'all' | 'group' | 'project';
  /** The full path; empty for all. */
  path: string;
}

/** Which page of schedules is asked for. */
export interface SchedulesLocation {
  of: SchedulesOf;
  page: 'list' | 'forecast' | 'new' | { schedule: number; edit: boolean };
}

export const ALL: SchedulesOf = { kind: 'all', path: '' };

const SCHEDULES = '/-/pipeline_schedules';
const GROUPS = '/groups/';

function pageIn(rest: string, kind: SchedulesOf['kind']): SchedulesLocation['page'] | null {
  if (rest === '') return 'list';
  if (rest === '/forecast') return 'forecast';
  if (kind !== 'project') return null;
  if (rest === '/new') return 'new';
  const [, id, edit] = /^\/([1-9]\d{0,14})(\/edit)?$/.exec(rest) ?? [];
  return id === undefined ? null : { schedule: Number(id), edit: edit !== undefined };
}

/**
 * What the path of a page names: `/schedules`, `/groups/<group>/-/pipeline_schedules` or `/<project>/-/pipeline_schedules`,
 * each also with `/forecast`; of a project also `/new`, `/<id>` and `/<id>/edit`. Null for others.
 */
export function schedulesAt(pathname: string): SchedulesLocation | null {
  const at = pathname.indexOf(SCHEDULES);
  if (at < 2) return null;
  const kind = pathname.startsWith(GROUPS) ? 'group' : 'project';
  const path = pathname.slice(kind === 'group' ? GROUPS.length : 1, at);
  const page = pageIn(pathname.slice(at + SCHEDULES.length), kind);
  return path === '' || page === null ? null : { of: { kind, path }, page };
}

/** Where the schedules of a project, of a group or of all are. */
export function schedulesOf({ kind, path }: SchedulesOf): string {
  if (kind === 'all') return '/schedules';
  return `${kind === 'group' ? GROUPS : '/'}${path}${SCHEDULES}`;
}

/** Where the forecast of those is. */
export const forecastOf = (of: SchedulesOf): string => `${schedulesOf(of)}/forecast`;

/** Where one schedule of a project is. */
export const scheduleOf = (project: string, id: number): string =>
  `${schedulesOf({ kind: 'project', path: project })}/${id}`;

/** Where a schedule is made in a project. */
export const newScheduleOf = (project: string): string => `${schedulesOf({ kind: 'project', path: project })}/new`;
