import type { PageAction } from '../look/page-actions.js';
import type { Person } from '../session/session.js';

const FOR_ALL: readonly PageAction[] = [
  { words: 'API reference', to: '/-/api-docs' },
  { words: 'GraphQL reference', to: '/-/api-docs/graphql' },
  { words: 'Deprecations of the API', to: '/-/api-docs/deprecations' },
  { words: 'Limits of the API', to: '/-/api-docs/limits' },
  { words: 'Versions of the API', to: '/-/api-docs/versions' },
];

const FOR_PEOPLE: readonly PageAction[] = [
  { words: 'Home', to: '/' },
  { words: 'Projects', to: '/dashboard/projects' },
  { words: 'Groups', to: '/dashboard/groups' },
  { words: 'Schedules', to: '/schedules' },
  { words: 'Forecast of schedules', to: '/schedules/forecast' },
  { words: 'Snippets', to: '/-/snippets' },
  { words: 'New project', to: '/projects/new' },
  { words: 'New group', to: '/groups/new' },
  { words: 'Password', to: '/-/profile/password' },
  { words: 'Access tokens', to: '/-/user_settings/personal_access_tokens' },
  { words: 'Notifications', to: '/-/profile/notifications' },
  { words: 'Active sessions', to: '/-/user_settings/active_sessions' },
  { words: 'Why a request was refused', to: '/-/refused_requests' },
  { words: 'Authorized applications', to: '/-/user_settings/applications' },
];

const FOR_ADMINS: readonly PageAction[] = [
  { words: 'Admin', to: '/admin' },
  { words: 'Admin: users', to: '/admin/users' },
  { words: 'Admin: groups', to: '/admin/groups' },
  { words: 'Admin: applications', to: '/admin/applications' },
  { words: 'Admin: audit log', to: '/admin/audit_logs' },
  { words: 'Admin: health', to: '/admin/health' },
  { words: 'Admin: queues of jobs', to: '/admin/jobs' },
  { words: 'Admin: all jobs', to: '/admin/jobs/all' },
  { words: 'Admin: recurring jobs', to: '/admin/jobs/recurring' },
  { words: 'Admin: processes', to: '/admin/jobs/processes' },
];

/** What the API refuses to auditors. */
const FOR_ADMINISTRATORS_ALONE: readonly PageAction[] = [
  { words: 'Admin: settings', to: '/admin/application_settings' },
  { words: 'Admin: limits', to: '/admin/limits' },
];

/** The pages that are of nothing in particular, as far as the person may see them. */
export function pagesFor(person: Person | null): PageAction[] {
  if (!person) return [{ words: 'Sign in', to: '/users/sign_in' }, ...FOR_ALL];
  return [
    ...FOR_PEOPLE,
    { words: 'Profile', to: `/${person.username}` },
    ...FOR_ALL,
    ...(person.is_admin || person.is_auditor ? FOR_ADMINS : []),
    ...(person.is_admin ? FOR_ADMINISTRATORS_ALONE : []),
  ];
}
