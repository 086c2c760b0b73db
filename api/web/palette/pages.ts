import type { PageAction } from '../ui/page-actions.js';
import type { Person } from '../session/session.js';

const FOR_ALL: readonly PageAction[] = [
  { label: 'Help', to: '/help' },
  { label: 'API reference', to: '/-/api-docs' },
  { label: 'GraphQL reference', to: '/-/api-docs/graphql' },
  { label: 'Deprecations of the API', to: '/-/api-docs/deprecations' },
  { label: 'Limits of the API', to: '/-/api-docs/limits' },
  { label: 'Versions of the API', to: '/-/api-docs/versions' },
];

const FOR_PEOPLE: readonly PageAction[] = [
  { label: 'Home', to: '/' },
  { label: 'Projects', to: '/dashboard/projects' },
  { label: 'Groups', to: '/dashboard/groups' },
  { label: 'Schedules', to: '/schedules' },
  { label: 'Forecast of schedules', to: '/schedules/forecast' },
  { label: 'Snippets', to: '/-/snippets' },
  { label: 'New project', to: '/projects/new' },
  { label: 'New group', to: '/groups/new' },
  { label: 'Password', to: '/-/profile/password' },
  { label: 'Access tokens', to: '/-/user_settings/personal_access_tokens' },
  { label: 'Notifications', to: '/-/profile/notifications' },
  { label: 'Active sessions', to: '/-/user_settings/active_sessions' },
  { label: 'Why a request was refused', to: '/-/refused_requests' },
  { label: 'Authorized applications', to: '/-/user_settings/applications' },
];

const FOR_ADMINS: readonly PageAction[] = [
  { label: 'Admin', to: '/admin' },
  { label: 'Admin: users', to: '/admin/users' },
  { label: 'Admin: groups', to: '/admin/groups' },
  { label: 'Admin: applications', to: '/admin/applications' },
  { label: 'Admin: audit log', to: '/admin/audit_logs' },
  { label: 'Admin: health', to: '/admin/health' },
  { label: 'Admin: queues of jobs', to: '/admin/jobs' },
  { label: 'Admin: all jobs', to: '/admin/jobs/all' },
  { label: 'Admin: recurring jobs', to: '/admin/jobs/recurring' },
  { label: 'Admin: processes', to: '/admin/jobs/processes' },
];

/** What the API refuses to auditors. */
const FOR_ADMINISTRATORS_ALONE: readonly PageAction[] = [
  { label: 'Admin: settings', to: '/admin/application_settings' },
  { label: 'Admin: limits', to: '/admin/limits' },
];

/** The pages that are of nothing in particular, as far as the person may see them. */
export function pagesFor(person: Person | null): PageAction[] {
  if (!person) return [{ label: 'Sign in', to: '/users/sign_in' }, ...FOR_ALL];
  return [
    ...FOR_PEOPLE,
    { label: 'Profile', to: `/${person.username}` },
    ...FOR_ALL,
    ...(person.is_admin || person.is_auditor ? FOR_ADMINS : []),
    ...(person.is_admin ? FOR_ADMINISTRATORS_ALONE : []),
  ];
}
