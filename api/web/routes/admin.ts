import { route } from '../app/routing/route.js';

// Pages of several addresses.
const loadAdmin = () => import('../features/instance/administration/Admin.js');
const loadAdminJobs = () => import('../features/instance/queue-jobs/AdminJobs.js');

/** The administration. */
export const adminRoutes = [
  route('/admin', {
    title: 'Admin',
    load: loadAdmin,
    props: () => ({ page: 'overview' }),
    audience: 'auditors',
    menus: { main: true, palette: true, admin: 'Overview' },
  }),
  route('/admin/users', {
    title: 'Admin: users',
    load: loadAdmin,
    props: () => ({ page: 'users' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Users' },
  }),
  route('/admin/users/new', {
    title: 'New user',
    load: loadAdmin,
    props: () => ({ page: 'new_user' }),
    audience: 'auditors',
    within: '/admin/users',
  }),
  route('/admin/users/:username', {
    title: 'User',
    load: loadAdmin,
    props: ({ username }) => ({ page: 'user', username }),
    audience: 'auditors',
    within: '/admin/users',
  }),
  route('/admin/groups', {
    title: 'Admin: groups',
    load: loadAdmin,
    props: () => ({ page: 'groups' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Groups' },
  }),
  route('/admin/applications', {
    title: 'Admin: applications',
    load: loadAdmin,
    props: () => ({ page: 'applications' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Applications' },
  }),
  route('/admin/ci_cd', {
    title: 'Admin: runners',
    load: () => import('../features/ci/ci-settings/CiSettings.js'),
    props: () => ({ of: null }),
    audience: 'administrators',
    menus: { palette: true, admin: 'CI/CD' },
  }),
  route('/admin/audit_logs', {
    title: 'Admin: audit log',
    load: loadAdmin,
    props: () => ({ page: 'audit_log' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Audit log' },
  }),
  route('/admin/jobs', {
    title: 'Admin: job queues',
    load: loadAdminJobs,
    props: () => ({ page: 'queues' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Background jobs', jobs: 'Queues' },
  }),
  route('/admin/jobs/all', {
    title: 'Admin: all jobs',
    load: loadAdminJobs,
    props: () => ({ page: 'all' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'All jobs' },
  }),
  route('/admin/jobs/recurring', {
    title: 'Admin: recurring jobs',
    load: loadAdminJobs,
    props: () => ({ page: 'recurring' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'Recurring' },
  }),
  route('/admin/jobs/processes', {
    title: 'Admin: processes',
    load: loadAdminJobs,
    props: () => ({ page: 'processes' }),
    audience: 'auditors',
    menus: { palette: true, jobs: 'Processes' },
  }),
  route('/admin/jobs/log', {
    title: 'Log of actions on jobs',
    load: loadAdminJobs,
    props: () => ({ page: 'log' }),
    audience: 'auditors',
    menus: { jobs: 'Log' },
  }),
  route('/admin/jobs/queues/:queue', {
    title: 'Queue',
    load: loadAdminJobs,
    props: ({ queue }) => ({ page: 'queue', queue }),
    audience: 'auditors',
    within: '/admin/jobs',
  }),
  route('/admin/jobs/:id', {
    title: 'Job',
    load: loadAdminJobs,
    props: ({ id }) => ({ page: 'job', id }),
    audience: 'auditors',
  }),
  route('/admin/application_settings', {
    title: 'Admin: settings',
    load: () => import('../features/instance/administration/ApplicationSettings.js'),
    props: () => ({ of: 'application' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Settings' },
    isListed: ({ person }) => person?.is_admin === true,
  }),
  route('/admin/limits', {
    title: 'Admin: limits',
    load: () => import('../features/instance/administration/ApplicationSettings.js'),
    props: () => ({ of: 'limits' }),
    audience: 'auditors',
    menus: { palette: true, admin: 'Limits' },
    isListed: ({ person }) => person?.is_admin === true,
  }),
  route('/admin/health', {
    title: 'Admin: health',
    load: () => import('../features/instance/administration/Health.js'),
    audience: 'auditors',
    menus: { palette: true, admin: 'Health' },
  }),
];
