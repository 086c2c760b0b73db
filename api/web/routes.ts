import type { PathParams } from './app/routing/path-pattern.js';
import { route } from './app/routing/route.js';
import type { MenuContext, MenuName, RouteOptions } from './app/routing/route.js';
import type { Container } from './data/containers.js';

/*
 * Every page: its address, title, component and place in the navigation. The service answers these addresses with the
 * pages' document; menus, tabs and the palette list them in this order.
 */

const MAINTAINER = 40;

/** A feature that the record of a project says nothing of is enabled. */
const isOn = (enabled: boolean | undefined) => enabled !== false;

const hasCode = ({ project }: MenuContext) => project?.default_branch !== undefined && !project.empty_repo;
const hasIssues = ({ project }: MenuContext) => isOn(project?.issues_enabled);
const hasMergeRequests = ({ project }: MenuContext) => isOn(project?.merge_requests_enabled);
const hasPipelines = ({ project }: MenuContext) => isOn(project?.jobs_enabled);
const hasSnippets = ({ project }: MenuContext) => isOn(project?.snippets_enabled);
const hasPackages = ({ project }: MenuContext) => isOn(project?.packages_enabled);
const hasMilestones = (context: MenuContext) => hasIssues(context) || hasMergeRequests(context);
const isSignedIn = ({ person }: MenuContext) => person !== null;

/** Whether the user is an administrator, or Maintainer of the project directly or by its group. */
function maintainsProject({ person, project }: MenuContext): boolean {
  const { project_access: own, group_access: byGroup } = project?.permissions ?? {};
  return person?.is_admin === true || Math.max(own?.access_level ?? 0, byGroup?.access_level ?? 0) >= MAINTAINER;
}

/** Only Owners receive this field of a group. */
const ownsGroup = ({ group }: MenuContext) => group !== undefined && 'runners_token' in group;

/** Tabs link all settings to each other; the menu offers them to those who may change them. */
const listSettings =
  (mayChange: (context: MenuContext) => boolean) =>
  (context: MenuContext, menu: MenuName): boolean =>
    menu.endsWith('_settings') || mayChange(context);

const ofProject = (path: string) => ({ kind: 'project', path }) as const;
const ofGroup = (path: string) => ({ kind: 'group', path }) as const;

/** The general settings, which the other settings belong to. */
const SETTINGS = { project: '/:path+/edit', group: '/groups/:path+/-/edit' };

type ContainerParams<P extends string> = PathParams<P> & { of: Container };

interface ContainerRouteOptions<P extends string, Props extends object, Passed extends Props> extends Omit<
  RouteOptions<string, Props, Passed>,
  'props' | 'within'
> {
  props: (params: ContainerParams<P>) => Passed;
  /** The page of the container that it belongs to. */
  within?: string | typeof SETTINGS;
}

const MENUS_OF = {
  project: ['project', 'project_settings'],
  group: ['group', 'group_settings'],
} as const satisfies Record<Container['kind'], readonly MenuName[]>;

/** A page that projects and groups have at the same address below their own. */
function containerRoutes<const P extends string, Props extends object, const Passed extends Props>(
  page: P,
  { props, within = page, menus = {}, ...options }: ContainerRouteOptions<P, Props, Passed>,
) {
  return (['project', 'group'] as const).map((kind) => {
    const prefix = kind === 'group' ? '/groups/:path+/-/' : '/:path+/-/';
    return route<string, Props, Passed>(prefix + page, {
      ...options,
      menus: Object.fromEntries(MENUS_OF[kind].flatMap((name) => (menus[name] ? [[name, menus[name]]] : []))),
      within: typeof within === 'string' ? prefix + within : within[kind],
      props: (params) => {
        const { path, ...rest } = params as { path: string };
        return props({ ...rest, of: { kind, path } } as ContainerParams<P>);
      },
    });
  });
}

/** A page of the repository: of the default branch, or of the ref and path that follow in its address. */
function refRoutes<Props extends { path: string; rest: string }>(
  page: string,
  { within = `/:path+/-/${page}`, menus = {}, ...options }: Omit<RouteOptions<string, Props, Props>, 'props'>,
) {
  return ['', '/:rest+'].map((rest) =>
    route<string, Props, Props>(`/:path+/-/${page}${rest}`, {
      ...options,
      within,
      menus: rest === '' ? menus : {},
      props: (params) => ({ rest: '', ...(params as { path: string }) }) as Props,
    }),
  );
}

export const routes = [
  route('/', {
    title: 'Home',
    load: () => import('./features/ci/home/Home.js'),
    menus: { main: true, palette: true },
    isListed: isSignedIn,
  }),
  route('/users/sign_in', {
    title: 'Sign in',
    load: () => import('./features/auth/sign-in/SignIn.js'),
    menus: { palette: true },
    isListed: ({ person }) => person === null,
  }),
  route('/dashboard/projects', {
    title: 'Projects',
    load: () => import('./features/tenancy/dashboard/Dashboard.js'),
    props: () => ({ of: 'projects' }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/dashboard/groups', {
    title: 'Groups',
    load: () => import('./features/tenancy/dashboard/Dashboard.js'),
    props: () => ({ of: 'groups' }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/schedules', {
    title: 'Schedules',
    load: () => import('./features/ci/pipeline-schedules/ScheduleList.js'),
    props: () => ({ of: { kind: 'all', path: '' } }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/schedules/forecast', {
    title: 'Forecast of schedules',
    load: () => import('./features/ci/pipeline-schedules/ForecastPage.js'),
    props: () => ({ of: { kind: 'all', path: '' } }),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/snippets', {
    title: 'Snippets',
    load: () => import('./features/planning/snippets/SnippetList.js'),
    props: () => ({ project: null }),
    menus: { palette: true },
    isListed: isSignedIn,
  }),
  route('/-/snippets/new', {
    title: 'New snippet',
    load: () => import('./features/planning/snippets/NewSnippetPage.js'),
    props: () => ({ project: null }),
  }),
  route('/-/snippets/:id(\\d+)', {
    title: 'Snippet',
    load: () => import('./features/planning/snippets/SnippetPage.js'),
    props: ({ id }) => ({ project: null, id: Number(id) }),
  }),
  route('/projects/new', {
    title: 'New project',
    load: () => import('./features/archives/exports-and-imports/NewProject.js'),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/groups/new', {
    title: 'New group',
    load: () => import('./features/archives/exports-and-imports/NewGroup.js'),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/profile/password', {
    title: 'Password',
    load: () => import('./features/tenancy/users/Password.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/user_settings/personal_access_tokens', {
    title: 'Access tokens',
    load: () => import('./features/auth/personal-access-tokens/PersonalAccessTokens.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/user_settings/active_sessions', {
    title: 'Active sessions',
    load: () => import('./features/auth/user-sessions/Sessions.js'),
    audience: 'users',
    menus: { palette: true, account: 'Sessions' },
  }),
  route('/-/user_settings/applications', {
    title: 'Authorized applications',
    load: () => import('./features/auth/user-sessions/AllowedApplications.js'),
    audience: 'users',
    menus: { palette: true, account: 'Applications' },
  }),
  route('/-/profile/notifications', {
    title: 'Notifications',
    load: () => import('./features/tenancy/notification-settings/Notifications.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/refused_requests', {
    title: 'Why a request was refused',
    load: () => import('./features/instance/refused-requests/RefusedRequest.js'),
    props: () => ({ id: null }),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/refused_requests/:id', {
    title: 'Why a request was refused',
    load: () => import('./features/instance/refused-requests/RefusedRequest.js'),
    props: ({ id }) => ({ id }),
    audience: 'users',
  }),
  route('/oauth/consent/:uid', {
    title: 'Authorize an application',
    load: () => import('./features/auth/oauth/Consent.js'),
    props: ({ uid }) => ({ uid }),
    audience: 'users',
  }),

  route('/admin', {
    title: 'Admin',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'overview' }),
    audience: 'auditors',
    menus: { main: true, palette: true, admin: 'Overview' },
  }),
  route('/admin/users', {
    title: 'Admin: users',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'users' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Users' },
  }),
  route('/admin/users/new', {
    title: 'New user',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'new_user' }),
    audience: 'auditors',
    within: '/admin/users',
  }),
  route('/admin/users/:username', {
    title: 'User',
    load: () => import('./features/instance/administration/Admin.js'),
    props: ({ username }) => ({ page: 'user', username }),
    audience: 'auditors',
    within: '/admin/users',
  }),
  route('/admin/groups', {
    title: 'Admin: groups',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'groups' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Groups' },
  }),
  route('/admin/applications', {
    title: 'Admin: applications',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'applications' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Applications' },
  }),
  route('/admin/audit_logs', {
    title: 'Admin: audit log',
    load: () => import('./features/instance/administration/Admin.js'),
    props: () => ({ page: 'audit_log' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Audit log' },
  }),
  route('/admin/jobs', {
    title: 'Admin: job queues',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: () => ({ page: 'queues' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Background jobs', jobs: 'Queues' },
  }),
  route('/admin/jobs/all', {
    title: 'Admin: all jobs',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: () => ({ page: 'all' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'All jobs' },
  }),
  route('/admin/jobs/recurring', {
    title: 'Admin: recurring jobs',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: () => ({ page: 'recurring' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'Recurring' },
  }),
  route('/admin/jobs/processes', {
    title: 'Admin: processes',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: () => ({ page: 'processes' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'Processes' },
  }),
  route('/admin/jobs/log', {
    title: 'Log of actions on jobs',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: () => ({ page: 'log' }),
    audience: 'auditors',
    menus: { jobs: 'Log' },
  }),
  route('/admin/jobs/queues/:queue', {
    title: 'Queue',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: ({ queue }) => ({ page: 'queue', queue }),
    audience: 'auditors',
    within: '/admin/jobs',
  }),
  route('/admin/jobs/:id', {
    title: 'Job',
    load: () => import('./features/instance/queue-jobs/AdminJobs.js'),
    props: ({ id }) => ({ page: 'job', id }),
    audience: 'auditors',
  }),
  route('/admin/application_settings', {
    title: 'Admin: settings',
    load: () => import('./features/instance/administration/ApplicationSettings.js'),
    props: () => ({ of: 'application' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Settings' },
    isListed: ({ person }) => person?.is_admin === true,
  }),
  route('/admin/limits', {
    title: 'Admin: limits',
    load: () => import('./features/instance/administration/ApplicationSettings.js'),
    props: () => ({ of: 'limits' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Limits' },
    isListed: ({ person }) => person?.is_admin === true,
  }),
  route('/admin/health', {
    title: 'Admin: health',
    load: () => import('./features/instance/administration/Health.js'),
    audience: 'auditors',
    menus: { palette: true, admin: 'Health' },
  }),

  route('/-/api-docs', {
    title: 'API reference',
    load: () => import('./features/core/api-docs/ApiDocs.js'),
    menus: { main: true, palette: true, reference: 'REST' },
  }),
  route('/-/api-docs/graphql', {
    title: 'GraphQL reference',
    load: () => import('./features/core/api-reference/GraphqlReference.js'),
    menus: { palette: true, reference: 'GraphQL' },
  }),
  route('/-/api-docs/deprecations', {
    title: 'Deprecations of the API',
    load: () => import('./features/core/api-reference/Deprecations.js'),
    menus: { palette: true, reference: 'Deprecations' },
  }),
  route('/-/api-docs/limits', {
    title: 'Limits of the API',
    load: () => import('./features/core/api-reference/Limits.js'),
    menus: { palette: true, reference: 'Limits' },
  }),
  route('/-/api-docs/versions', {
    title: 'Versions of the API',
    load: () => import('./features/core/api-reference/Versions.js'),
    menus: { palette: true, reference: 'Versions and plans' },
  }),
  route('/help', {
    title: 'Help',
    load: () => import('./features/core/help/HelpPage.js'),
    menus: { main: true, palette: true },
  }),
  route('/help/:page', {
    title: 'Help page',
    load: () => import('./features/core/help/HelpPage.js'),
    props: ({ page }) => ({ page }),
  }),

  // Projects and groups.
  route('/:path+', {
    title: 'Overview',
    load: () => import('./features/tenancy/namespaces/PathPage.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    within: '/groups/:path+',
  }),
  route('/groups/:path+', {
    title: 'Overview',
    load: () => import('./features/tenancy/groups/GroupPage.js'),
    props: ({ path }) => ({ path }),
    menus: { group: true },
  }),
  route('/groups/:path+/-/epics', {
    title: 'Epics',
    load: () => import('./features/planning/epics/EpicList.js'),
    props: ({ path }) => ({ path }),
    menus: { group: true },
  }),
  route('/groups/:path+/-/epics/new', {
    title: 'New epic',
    load: () => import('./features/planning/epics/NewEpicPage.js'),
    props: ({ path }) => ({ path }),
    within: '/groups/:path+/-/epics',
  }),
  route('/groups/:path+/-/epics/:iid(\\d+)', {
    title: 'Epic',
    load: () => import('./features/planning/epics/EpicPage.js'),
    props: ({ path, iid }) => ({ path, iid: Number(iid), edit: false }),
    within: '/groups/:path+/-/epics',
  }),
  route('/groups/:path+/-/epics/:iid(\\d+)/edit', {
    title: 'Edit epic',
    load: () => import('./features/planning/epics/EpicPage.js'),
    props: ({ path, iid }) => ({ path, iid: Number(iid), edit: true }),
    within: '/groups/:path+/-/epics',
  }),
  ...refRoutes('tree', {
    title: 'Files',
    load: () => import('./features/repositories/repository-files/Tree.js'),
    menus: { project: true },
    isListed: hasCode,
  }),
  route('/:path+/-/blob/:rest+', {
    title: 'File',
    load: () => import('./features/repositories/repository-files/FilePage.js'),
    props: ({ path, rest }) => ({ path, rest }),
    within: '/:path+/-/tree',
  }),
  route('/:path+/-/blame/:rest+', {
    title: 'Blame',
    load: () => import('./features/repositories/repository-files/Blame.js'),
    props: ({ path, rest }) => ({ path, rest }),
    within: '/:path+/-/tree',
  }),
  ...refRoutes('commits', {
    title: 'Commits',
    load: () => import('./features/repositories/commits/CommitList.js'),
    menus: { project: true },
    isListed: hasCode,
  }),
  route('/:path+/-/commit/:sha([\\da-fA-F]{4,64})', {
    title: 'Commit',
    load: () => import('./features/repositories/commits/CommitPage.js'),
    props: ({ path, sha }) => ({ path, sha }),
    within: '/:path+/-/commits',
  }),
  route('/:path+/-/branches', {
    title: 'Branches',
    load: () => import('./features/repositories/branches-and-tags/Branches.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasCode,
  }),
  route('/:path+/-/tags', {
    title: 'Tags',
    load: () => import('./features/repositories/branches-and-tags/Tags.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasCode,
  }),
  route('/:path+/-/issues', {
    title: 'Issues',
    load: () => import('./features/planning/issues/IssueList.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasIssues,
  }),
  route('/:path+/-/issues/new', {
    title: 'New issue',
    load: () => import('./features/planning/issues/NewIssuePage.js'),
    props: ({ path }) => ({ path }),
    menus: { actions: true },
    isListed: (context) => isSignedIn(context) && hasIssues(context),
    within: '/:path+/-/issues',
  }),
  route('/:path+/-/issues/:iid(\\d+)', {
    title: 'Issue',
    load: () => import('./features/planning/issues/IssuePage.js'),
    props: ({ path, iid }) => ({ path, iid: Number(iid) }),
    within: '/:path+/-/issues',
  }),
  ...containerRoutes('boards', {
    title: 'Boards',
    load: () => import('./features/planning/boards/BoardIndex.js'),
    props: ({ of }) => ({ of }),
    menus: { project: true, group: true },
    isListed: hasIssues,
  }),
  ...containerRoutes('boards/:id(\\d+)', {
    title: 'Board',
    load: () => import('./features/planning/boards/BoardPage.js'),
    props: ({ of, id }) => ({ of, id: Number(id) }),
    within: 'boards',
  }),
  route('/:path+/-/merge_requests', {
    title: 'Merge requests',
    load: () => import('./features/merge-requests/merge-requests/MergeRequestList.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasMergeRequests,
  }),
  route('/:path+/-/merge_requests/new', {
    title: 'New merge request',
    load: () => import('./features/merge-requests/merge-requests/NewRequestPage.js'),
    props: ({ path }) => ({ path }),
    menus: { actions: true },
    isListed: (context) => isSignedIn(context) && hasMergeRequests(context),
    within: '/:path+/-/merge_requests',
  }),
  ...(['overview', 'commits', 'diffs'] as const).map((part) =>
    route(`/:path+/-/merge_requests/:iid(\\d+)${part === 'overview' ? '' : (`/${part}` as const)}`, {
      title: 'Merge request',
      load: () => import('./features/merge-requests/merge-requests/MergeRequestPage.js'),
      props: ({ path, iid }) => ({ path, iid: Number(iid), part }),
      within: '/:path+/-/merge_requests',
    }),
  ),
  ...containerRoutes('milestones', {
    title: 'Milestones',
    load: () => import('./features/planning/milestones/MilestoneList.js'),
    props: ({ of }) => ({ of }),
    menus: { project: true, group: true },
    isListed: hasMilestones,
  }),
  ...containerRoutes('milestones/new', {
    title: 'New milestone',
    load: () => import('./features/planning/milestones/NewMilestonePage.js'),
    props: ({ of }) => ({ of }),
    within: 'milestones',
  }),
  ...containerRoutes('milestones/:iid(\\d+)', {
    title: 'Milestone',
    load: () => import('./features/planning/milestones/MilestonePage.js'),
    props: ({ of, iid }) => ({ of, iid: Number(iid) }),
    within: 'milestones',
  }),
  route('/:path+/-/pipelines', {
    title: 'Pipelines',
    load: () => import('./features/ci/pipelines/Pipelines.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasPipelines,
  }),
  route('/:path+/-/pipelines/:id(\\d+)', {
    title: 'Pipeline',
    load: () => import('./features/ci/pipelines/PipelinePage.js'),
    props: ({ path, id }) => ({ path, id: Number(id) }),
    within: '/:path+/-/pipelines',
  }),
  route('/:path+/-/jobs', {
    title: 'Jobs',
    load: () => import('./features/ci/pipelines/Jobs.js'),
    props: ({ path }) => ({ path }),
    within: '/:path+/-/pipelines',
  }),
  route('/:path+/-/jobs/:id(\\d+)', {
    title: 'Job',
    load: () => import('./features/ci/pipelines/JobPage.js'),
    props: ({ path, id }) => ({ path, id: Number(id) }),
    within: '/:path+/-/pipelines',
  }),
  ...containerRoutes('pipeline_schedules', {
    title: 'Schedules',
    load: () => import('./features/ci/pipeline-schedules/ScheduleList.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    menus: { project: true, group: true },
    isListed: hasPipelines,
  }),
  ...containerRoutes('pipeline_schedules/forecast', {
    title: 'Forecast of schedules',
    load: () => import('./features/ci/pipeline-schedules/ForecastPage.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    within: 'pipeline_schedules',
  }),
  route('/:path+/-/pipeline_schedules/new', {
    title: 'New schedule',
    load: () => import('./features/ci/pipeline-schedules/NewSchedule.js'),
    props: ({ path }) => ({ path }),
    audience: 'users',
    menus: { actions: true },
    isListed: hasPipelines,
    within: '/:path+/-/pipeline_schedules',
  }),
  route('/:path+/-/pipeline_schedules/:id(\\d+)', {
    title: 'Schedule',
    load: () => import('./features/ci/pipeline-schedules/SchedulePage.js'),
    props: ({ path, id }) => ({ path, id: Number(id) }),
    audience: 'users',
    within: '/:path+/-/pipeline_schedules',
  }),
  route('/:path+/-/pipeline_schedules/:id(\\d+)/edit', {
    title: 'Edit schedule',
    load: () => import('./features/ci/pipeline-schedules/EditSchedule.js'),
    props: ({ path, id }) => ({ path, id: Number(id) }),
    audience: 'users',
    within: '/:path+/-/pipeline_schedules',
  }),
  ...refRoutes('compare', {
    title: 'Compare branches',
    load: () => import('./features/repositories/comparisons/Compare.js'),
    menus: { actions: true },
    isListed: hasCode,
    within: '/:path+/-/commits',
  }),
  route('/:path+/-/snippets', {
    title: 'Snippets',
    load: () => import('./features/planning/snippets/SnippetList.js'),
    props: ({ path }) => ({ project: path }),
    menus: { project: true },
    isListed: hasSnippets,
  }),
  route('/:path+/-/snippets/new', {
    title: 'New snippet',
    load: () => import('./features/planning/snippets/NewSnippetPage.js'),
    props: ({ path }) => ({ project: path }),
    within: '/:path+/-/snippets',
  }),
  route('/:path+/-/snippets/:id(\\d+)', {
    title: 'Snippet',
    load: () => import('./features/planning/snippets/SnippetPage.js'),
    props: ({ path, id }) => ({ project: path, id: Number(id) }),
    within: '/:path+/-/snippets',
  }),
  route('/:path+/-/packages', {
    title: 'Packages',
    load: () => import('./features/packages/packages/Packages.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
    isListed: hasPackages,
  }),
  route('/:path+/-/packages/:id(\\d+)', {
    title: 'Package',
    load: () => import('./features/packages/packages/PackagePage.js'),
    props: ({ path, id }) => ({ path, id: Number(id) }),
    within: '/:path+/-/packages',
  }),
  route('/:path+/-/environments', {
    title: 'Environments',
    load: () => import('./features/deployments/environments/Environments.js'),
    props: ({ path }) => ({ path }),
    menus: { project: true },
  }),
  ...containerRoutes('dora', {
    title: 'Metrics',
    load: () => import('./features/deployments/dora/Dora.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    menus: { project: true, group: true },
    isListed: isSignedIn,
  }),
  route('/:path+/-/project_members', {
    title: 'Members',
    load: () => import('./features/tenancy/members/Members.js'),
    props: ({ path }) => ({ of: ofProject(path) }),
    menus: { project: true },
  }),
  route('/groups/:path+/-/group_members', {
    title: 'Members',
    load: () => import('./features/tenancy/members/Members.js'),
    props: ({ path }) => ({ of: ofGroup(path) }),
    menus: { group: true },
  }),
  route('/:path+/edit', {
    title: 'General',
    load: () => import('./features/archives/exports-and-imports/GeneralSettings.js'),
    props: ({ path }) => ({ of: ofProject(path) }),
    audience: 'users',
    menus: { project: 'Settings', project_settings: true },
    isListed: listSettings(maintainsProject),
  }),
  route('/groups/:path+/-/edit', {
    title: 'General',
    load: () => import('./features/archives/exports-and-imports/GeneralSettings.js'),
    props: ({ path }) => ({ of: ofGroup(path) }),
    audience: 'users',
    menus: { group: 'Settings', group_settings: true },
    isListed: listSettings(ownsGroup),
  }),
  ...containerRoutes('settings/repository', {
    title: 'Repository',
    load: () => import('./features/repositories/repository-settings/RepositorySettings.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('settings/access_tokens', {
    title: 'Access tokens',
    load: () => import('./features/auth/resource-access-tokens/AccessTokens.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('audit_events', {
    title: 'Audit',
    load: () => import('./features/instance/audit-events/AuditPage.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('import', {
    title: 'Import',
    load: () => import('./features/archives/exports-and-imports/ImportStatus.js'),
    props: ({ of }) => ({ of }),
    audience: 'users',
  }),
];
