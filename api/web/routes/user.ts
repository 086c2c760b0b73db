import { isSignedIn } from '../app/routing/listing.js';
import { route } from '../app/routing/route.js';

/** What concerns the user alone, and what is there before anything is chosen. */
export const userRoutes = [
  route('/', {
    title: 'Home',
    load: () => import('../features/ci/home/Home.js'),
    menus: { main: true, palette: true },
    isListed: isSignedIn,
  }),
  route('/users/sign_in', {
    title: 'Sign in',
    load: () => import('../features/auth/sign-in/SignIn.js'),
    menus: { palette: true },
    isListed: ({ person }) => person === null,
  }),
  route('/dashboard/projects', {
    title: 'Projects',
    load: () => import('../features/tenancy/dashboard/Dashboard.js'),
    props: () => ({ of: 'projects' }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/dashboard/groups', {
    title: 'Groups',
    load: () => import('../features/tenancy/dashboard/Dashboard.js'),
    props: () => ({ of: 'groups' }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/schedules', {
    title: 'Schedules',
    load: () => import('../features/ci/pipeline-schedules/ScheduleList.js'),
    props: () => ({ of: { kind: 'all', path: '' } }),
    audience: 'users',
    menus: { main: true, palette: true },
  }),
  route('/schedules/forecast', {
    title: 'Forecast of schedules',
    load: () => import('../features/ci/pipeline-schedules/ForecastPage.js'),
    props: () => ({ of: { kind: 'all', path: '' } }),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/snippets', {
    title: 'Snippets',
    load: () => import('../features/planning/snippets/SnippetList.js'),
    props: () => ({ project: null }),
    menus: { palette: true },
    isListed: isSignedIn,
  }),
  route('/-/snippets/new', {
    title: 'New snippet',
    load: () => import('../features/planning/snippets/NewSnippetPage.js'),
    props: () => ({ project: null }),
  }),
  route('/-/snippets/:id(\\d+)', {
    title: 'Snippet',
    load: () => import('../features/planning/snippets/SnippetPage.js'),
    props: ({ id }) => ({ project: null, id: Number(id) }),
  }),
  route('/projects/new', {
    title: 'New project',
    load: () => import('../features/archives/exports-and-imports/NewProject.js'),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/groups/new', {
    title: 'New group',
    load: () => import('../features/archives/exports-and-imports/NewGroup.js'),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/profile/password', {
    title: 'Password',
    load: () => import('../features/tenancy/users/Password.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/user_settings/personal_access_tokens', {
    title: 'Access tokens',
    load: () => import('../features/auth/personal-access-tokens/PersonalAccessTokens.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/user_settings/active_sessions', {
    title: 'Active sessions',
    load: () => import('../features/auth/user-sessions/Sessions.js'),
    audience: 'users',
    menus: { palette: true, account: 'Sessions' },
  }),
  route('/-/user_settings/applications', {
    title: 'Authorized applications',
    load: () => import('../features/auth/user-sessions/AllowedApplications.js'),
    audience: 'users',
    menus: { palette: true, account: 'Applications' },
  }),
  route('/-/profile/notifications', {
    title: 'Notifications',
    load: () => import('../features/tenancy/notification-settings/Notifications.js'),
    audience: 'users',
    menus: { palette: true, account: true },
  }),
  route('/-/refused_requests', {
    title: 'Why a request was refused',
    load: () => import('../features/instance/refused-requests/RefusedRequest.js'),
    props: () => ({ id: null }),
    audience: 'users',
    menus: { palette: true },
  }),
  route('/-/refused_requests/:id', {
    title: 'Why a request was refused',
    load: () => import('../features/instance/refused-requests/RefusedRequest.js'),
    audience: 'users',
  }),
  route('/oauth/consent/:uid', {
    title: 'Authorize an application',
    load: () => import('../features/auth/oauth/Consent.js'),
    audience: 'users',
  }),
];
