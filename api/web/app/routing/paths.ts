import type { Container } from '../../data/containers.js';
import { encodeSegments } from './path-pattern.js';

/*
 * Addresses of pages. A test holds each of them against the patterns of `routes.ts`.
 */

/** Schedules of everyone, of a group or of a project. */
export interface ScheduleScope {
  kind: 'all' | Container['kind'];
  /** The full path; empty for all. */
  path: string;
}

/** The schedules that the user may see, in all projects. */
export const ALL_SCHEDULES: ScheduleScope = { kind: 'all', path: '' };

/** Two branches, tags or commits to compare. */
export interface Comparison {
  from: string;
  to: string;
  /** Compares the files at both, rather than the changes since their merge base. */
  straight: boolean;
}

export type MergeRequestPart = 'overview' | 'commits' | 'diffs';

/** The number or id of a record, or the form for a new one; undefined for the list. */
type Member = number | 'new' | undefined;

/** The project, group or user with a full path. */
export const namespacePath = (path: string): string => `/${path}`;

export const groupPath = (path: string): string => `/groups/${path}`;

/** A project or group. */
const containerPath = ({ kind, path }: Container): string => (kind === 'group' ? groupPath(path) : namespacePath(path));

/** A page below a container; segments that are undefined or empty are left out. */
const below = (base: string, ...segments: (string | number | undefined)[]): string =>
  [`${base}/-`, ...segments.filter((segment) => segment !== undefined && segment !== '')].join('/');

const inProject = (path: string, ...segments: (string | number | undefined)[]): string =>
  below(namespacePath(path), ...segments);

const inContainer = (of: Container, ...segments: (string | number | undefined)[]): string =>
  below(containerPath(of), ...segments);

/** The page of a record, by its `web_url`. */
export const recordPath = (webUrl: string): string => new URL(webUrl).pathname;

/** The form for a new project or group, with fields filled in: `from` an archive, in a `namespace`, below a `parent`. */
export function newContainerPath(kind: Container['kind'], fields: Record<string, string> = {}): string {
  const query = new URLSearchParams(fields).toString();
  return `/${kind}s/new${query === '' ? '' : `?${query}`}`;
}

/** The general settings of a project or group, with its export. */
export const generalSettingsPath = (of: Container): string =>
  of.kind === 'group' ? inContainer(of, 'edit') : `${containerPath(of)}/edit`;

export const repositorySettingsPath = (of: Container): string => inContainer(of, 'settings/repository');

/** The state of an import into a project or group. */
export const importPath = (of: Container): string => inContainer(of, 'import');

export const membersPath = (of: Container): string => inContainer(of, `${of.kind}_members`);

export const auditEventsPath = (of: Container): string => inContainer(of, 'audit_events');

/**
 * Files of a project.
 * @param rest a ref and a path in the repository, `main/src`; empty for the default branch
 */
export const treePath = (path: string, rest = ''): string => inProject(path, 'tree', encodeSegments(rest));

export const filePath = (path: string, rest: string): string => inProject(path, 'blob', encodeSegments(rest));

export const blamePath = (path: string, rest: string): string => inProject(path, 'blame', encodeSegments(rest));

export const commitsPath = (path: string, rest = ''): string => inProject(path, 'commits', encodeSegments(rest));

export const commitPath = (path: string, sha: string): string => inProject(path, 'commit', sha);

/** The comparison of two refs, or the form that asks for them. */
export function comparePath(path: string, comparison?: Comparison): string {
  if (!comparison) return inProject(path, 'compare');
  const { from, to, straight } = comparison;
  return inProject(path, 'compare', encodeSegments(`${from}${straight ? '..' : '...'}${to}`));
}

export const branchesPath = (path: string): string => inProject(path, 'branches');

export const tagsPath = (path: string): string => inProject(path, 'tags');

export const issuesPath = (path: string, issue?: Member): string => inProject(path, 'issues', issue);

/** Merge requests of a project, or a part of one of them. */
export const mergeRequestsPath = (path: string, iid?: number, part: MergeRequestPart = 'overview'): string =>
  inProject(path, 'merge_requests', iid, part === 'overview' ? undefined : part);

export const newMergeRequestPath = (path: string): string => inProject(path, 'merge_requests/new');

export const boardsPath = (of: Container, id?: number): string => inContainer(of, 'boards', id);

export const milestonesPath = (of: Container, milestone?: Member): string => inContainer(of, 'milestones', milestone);

/** Epics of a group, one of them or its form. */
export const epicsPath = (path: string, epic?: Member, edit = false): string =>
  below(groupPath(path), 'epics', epic, edit ? 'edit' : undefined);

/** Snippets of a project, or for null the user's own. */
export const snippetsPath = (project: string | null, snippet?: Member): string =>
  below(project === null ? '' : namespacePath(project), 'snippets', snippet);

export const packagesPath = (path: string, id?: number): string => inProject(path, 'packages', id);

export const pipelinesPath = (path: string, id?: number): string => inProject(path, 'pipelines', id);

/** The editor of the configuration file, of the default branch or another one. */
export const pipelineEditorPath = (path: string, branch?: string): string =>
  `${inProject(path, 'ci/editor')}${branch === undefined ? '' : `?${new URLSearchParams({ branch_name: branch })}`}`;

/** The CI/CD settings: runners and variables of a project or group. */
export const runnersPath = (of: Container): string => inContainer(of, 'settings/ci_cd');

export const jobsPath = (path: string, id?: number): string => inProject(path, 'jobs', id);

/** The schedules of a project, of a group or of all. */
export const schedulesPath = ({ kind, path }: ScheduleScope): string =>
  kind === 'all' ? '/schedules' : inContainer({ kind, path }, 'pipeline_schedules');

/** The forecast of those schedules. */
export const forecastPath = (scope: ScheduleScope): string => `${schedulesPath(scope)}/forecast`;

/** A schedule of a project, or its form. */
export const schedulePath = (path: string, id: number, edit = false): string =>
  inProject(path, 'pipeline_schedules', id, edit ? 'edit' : undefined);

export const newSchedulePath = (path: string): string => inProject(path, 'pipeline_schedules/new');

/** The start of the help, or a page or section of it. */
export const helpPath = (page = 'index', section?: string): string =>
  `${page === 'index' ? '/help' : `/help/${page}`}${section === undefined ? '' : `#${section}`}`;

/** The sign-in page, which leads back to an address. */
export const signInPath = (redirectTo: string): string =>
  `/users/sign_in?${new URLSearchParams({ redirect_to: redirectTo })}`;
