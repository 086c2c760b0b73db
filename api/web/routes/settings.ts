import { containerRoutes, SETTINGS } from '../app/routing/container-routes.js';
import { listSettings, maintainsProject, ownsGroup } from '../app/routing/listing.js';
import { route } from '../app/routing/route.js';

const ofProject = (path: string) => ({ kind: 'project', path }) as const;
const ofGroup = (path: string) => ({ kind: 'group', path }) as const;

/** Members, and the settings of projects and groups. */
export const settingsRoutes = [
  route('/:path+/-/project_members', {
    title: 'Members',
    load: () => import('../features/tenancy/members/Members.js'),
    props: ({ path }) => ({ of: ofProject(path) }),
    menus: { project: true },
  }),
  route('/groups/:path+/-/group_members', {
    title: 'Members',
    load: () => import('../features/tenancy/members/Members.js'),
    props: ({ path }) => ({ of: ofGroup(path) }),
    menus: { group: true },
  }),
  route('/:path+/edit', {
    title: 'General',
    load: () => import('../features/archives/exports-and-imports/GeneralSettings.js'),
    props: ({ path }) => ({ of: ofProject(path) }),
    audience: 'users',
    menus: { project: 'Settings', project_settings: true },
    isListed: listSettings(maintainsProject),
  }),
  route('/groups/:path+/-/edit', {
    title: 'General',
    load: () => import('../features/archives/exports-and-imports/GeneralSettings.js'),
    props: ({ path }) => ({ of: ofGroup(path) }),
    audience: 'users',
    menus: { group: 'Settings', group_settings: true },
    isListed: listSettings(ownsGroup),
  }),
  ...containerRoutes('settings/repository', {
    title: 'Repository',
    load: () => import('../features/repositories/repository-settings/RepositorySettings.js'),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('settings/ci_cd', {
    title: 'Runners',
    load: () => import('../features/ci/ci-settings/CiSettings.js'),
    audience: 'users',
    menus: { project_settings: 'CI/CD', group_settings: 'CI/CD' },
    within: SETTINGS,
  }),
  ...containerRoutes('settings/access_tokens', {
    title: 'Access tokens',
    load: () => import('../features/auth/resource-access-tokens/AccessTokens.js'),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('audit_events', {
    title: 'Audit',
    load: () => import('../features/instance/audit-events/AuditPage.js'),
    audience: 'users',
    menus: { project_settings: true, group_settings: true },
    within: SETTINGS,
  }),
  ...containerRoutes('import', {
    title: 'Import',
    load: () => import('../features/archives/exports-and-imports/ImportStatus.js'),
    audience: 'users',
  }),
];
