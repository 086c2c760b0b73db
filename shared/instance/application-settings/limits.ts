import { boolean, wholeNumber } from '../../core/operations/fields.js';
import type { Limit } from '../../core/rate-limits/limits.js';
import type { SettingOf } from '../../core/values/settings.js';
import { setting } from '../../core/context/settings-store.js';

const MINUTE = 60;
const HOUR = 3600;

/** How often something may happen, 0 for as often as one likes. */
const allowed = (fallback: number, docs: string) => setting(wholeNumber(0), fallback, `${docs}; 0 is off.`);

const throttle = (who: string) =>
  setting(boolean(), false, `If \`true\`, the rate of API requests of ${who} is limited.`);
const period = () => setting(wholeNumber(1), HOUR, 'Seconds that the limit of API requests counts over.');

/**
 * Rate limit settings at `/application/settings` (contract/README.md "Rate limits and their defaults"), with the public
 * API's names where they exist.
 */
export const limitSettings = {
  throttle_authenticated_api_enabled: throttle('signed-in users'),
  throttle_authenticated_api_requests_per_period: allowed(7200, 'API requests of one user in the period'),
  throttle_authenticated_api_period_in_seconds: period(),
  throttle_unauthenticated_api_enabled: throttle('anonymous callers'),
  throttle_unauthenticated_api_requests_per_period: allowed(3600, 'API requests of one address in the period'),
  throttle_unauthenticated_api_period_in_seconds: period(),
  sign_in_limit: allowed(10, 'Sign-ins tried from one address for one account in a minute'),
  sign_in_address_limit: allowed(100, 'Sign-ins tried from one address, for any account, in a minute'),
  sign_in_account_limit: allowed(100, 'Sign-ins tried for one account, from any address, in a minute'),
  token_guess_limit: allowed(20, 'Unknown tokens of one beginning that one address may send in a minute'),
  token_guess_address_limit: allowed(200, 'Unknown tokens that one address may send in a minute'),
  graphql_requests_at_once_limit: allowed(
    10,
    'GraphQL requests of one user, or of one address where nobody is signed in, that one process answers at once',
  ),
  graphql_score_limit: allowed(
    0,
    'Complexity of all GraphQL queries of one user, or of one address where nobody is signed in, in a minute',
  ),
  oauth_authorize_limit: allowed(60, 'Authorization requests for applications from one address in a minute'),
  notes_create_limit: allowed(300, 'Notes that one user creates in a minute'),
  issues_create_limit: allowed(0, 'Issues that one user creates in a minute'),
  group_export_limit: allowed(6, 'Group exports that one user starts in a minute'),
  group_download_export_limit: allowed(1, 'Times that one user is served the archive of one group in a minute'),
  group_import_limit: allowed(6, 'Group imports that one user starts in a minute'),
  project_export_limit: allowed(6, 'Project exports that one user starts in a minute'),
  project_download_export_limit: allowed(1, 'Times that one user is served the archive of one project in a minute'),
  project_import_limit: allowed(6, 'Project imports that one user starts in a minute'),
  pipeline_limit_per_project_user_sha: allowed(0, 'Pipelines of one project, user and commit in a minute'),
  ci_lint_limit_per_user: allowed(0, 'CI/CD configurations that one user checks in a minute'),
  pipeline_schedule_dry_run_limit: allowed(10, 'Times that one user simulates runs of schedules in a minute'),
  runner_jobs_request_api_limit: allowed(2000, 'Times that programs of one runner ask for jobs in a minute'),
  runner_jobs_patch_trace_api_limit: allowed(200, 'Patches to the log of one job in a minute'),
  runner_jobs_endpoints_api_limit: allowed(200, 'Other requests of a runner about one job in a minute'),
  pipeline_schedule_play_limit: allowed(1, 'Times that one user runs one schedule by GraphQL in a minute'),
  members_delete_limit: allowed(0, 'Members that one user removes in a minute'),
  projects_api_limit: allowed(0, 'Times that one user lists projects in ten minutes'),
  projects_api_rate_limit_unauthenticated: allowed(0, 'Times that one address lists projects in ten minutes'),
  project_api_limit: allowed(0, 'Times that one user reads a project in a minute'),
  user_projects_api_limit: allowed(0, "Times that one user lists a user's projects in a minute"),
  user_starred_projects_api_limit: allowed(0, 'Times that one user lists starred projects in a minute'),
  user_contributed_projects_api_limit: allowed(0, 'Times that one user lists contributed projects in a minute'),
  groups_api_limit: allowed(0, 'Times that one user lists groups in a minute'),
  group_api_limit: allowed(0, 'Times that one user reads a group in a minute'),
  group_shared_groups_api_limit: allowed(0, 'Times that one user lists groups that a group is invited to in a minute'),
  group_invited_groups_api_limit: allowed(0, 'Times that one user lists groups invited to a group in a minute'),
  group_projects_api_limit: allowed(0, "Times that one user lists a group's projects in a minute"),
  users_get_by_id_limit: allowed(300, 'Times that one user who is no administrator reads users in ten minutes'),
  users_api_limit: allowed(0, 'Times that one user lists users in a minute'),
};

const limit = (name: SettingOf<number>, rest: Partial<Limit> = {}): Limit => ({
  setting: name,
  period: MINUTE,
  ...rest,
});

/** The one list of rate limits. An operation names its own: `limit: 'notes_create'`. */
export const limits = {
  throttle_authenticated_api: limit('throttle_authenticated_api_requests_per_period', {
    period: 'throttle_authenticated_api_period_in_seconds',
    enabledBy: 'throttle_authenticated_api_enabled',
  }),
  throttle_unauthenticated_api: limit('throttle_unauthenticated_api_requests_per_period', {
    period: 'throttle_unauthenticated_api_period_in_seconds',
    enabledBy: 'throttle_unauthenticated_api_enabled',
  }),
  sign_in: limit('sign_in_limit'),
  sign_in_address: limit('sign_in_address_limit'),
  sign_in_account: limit('sign_in_account_limit'),
  token_guess: limit('token_guess_limit'),
  graphql_score: limit('graphql_score_limit'),
  oauth_authorize: limit('oauth_authorize_limit'),
  token_guess_address: limit('token_guess_address_limit'),
  notes_create: limit('notes_create_limit'),
  issues_create: limit('issues_create_limit'),
  group_export: limit('group_export_limit'),
  group_download_export: limit('group_download_export_limit'),
  group_import: limit('group_import_limit'),
  project_export: limit('project_export_limit'),
  project_download_export: limit('project_download_export_limit'),
  project_import: limit('project_import_limit'),
  pipelines_create: limit('pipeline_limit_per_project_user_sha'),
  ci_lint: limit('ci_lint_limit_per_user'),
  pipeline_schedule_dry_run: limit('pipeline_schedule_dry_run_limit'),
  pipeline_schedule_play: limit('pipeline_schedule_play_limit'),
  runner_jobs_request: limit('runner_jobs_request_api_limit'),
  runner_jobs_patch_trace: limit('runner_jobs_patch_trace_api_limit'),
  runner_jobs_endpoints: limit('runner_jobs_endpoints_api_limit'),
  members_delete: limit('members_delete_limit'),
  projects_list: limit('projects_api_limit', {
    period: 10 * MINUTE,
    anonymous: 'projects_api_rate_limit_unauthenticated',
  }),
  project_read: limit('project_api_limit'),
  user_projects: limit('user_projects_api_limit'),
  user_starred_projects: limit('user_starred_projects_api_limit'),
  user_contributed_projects: limit('user_contributed_projects_api_limit'),
  groups_list: limit('groups_api_limit'),
  group_read: limit('group_api_limit'),
  group_shared_groups: limit('group_shared_groups_api_limit'),
  group_invited_groups: limit('group_invited_groups_api_limit'),
  group_projects: limit('group_projects_api_limit'),
  user_read: limit('users_get_by_id_limit', { period: 10 * MINUTE }),
  users_list: limit('users_api_limit'),
} satisfies Record<string, Limit>;

type DeclaredLimits = typeof limits;

declare module '../../core/rate-limits/limits.js' {
  interface Limits extends DeclaredLimits {}
}
