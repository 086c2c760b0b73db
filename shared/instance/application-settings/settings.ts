import { BlockList, isIP } from 'node:net';
import { parseNetworks } from '../../core/values/client-network.js';
import { boolean, list, oneOf, text, wholeNumber } from '../../core/operations/fields.js';
import { setting } from '../../core/context/settings-store.js';
import type { ValuesOf } from '../../core/context/settings-store.js';
import { jobSettings } from './job-settings.js';
import { limitSettings } from './limits.js';
import { spamSettings } from './spam-settings.js';

const visibility = () => oneOf(['private', 'internal', 'public']);

/** Prefixes become part of tokens, which travel in headers and URLs. */
const tokenPrefix = () =>
  text()
    .refine((value) => /^[\w-]{0,20}$/.test(value), 'is invalid')
    .meta({ type: 'string', maxLength: 20, pattern: '^[A-Za-z0-9_-]*$' });

/** Prefix of deploy token usernames, which allow these characters and a length of 255. */
const usernamePrefix = () =>
  text()
    .refine((value) => /^[\w.+-]{1,100}$/.test(value), 'is invalid')
    .meta({ type: 'string', minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_.+-]+$' });

/** Prefix in global ids such as `gid://<prefix>/User/1`. */
const globalIdPrefix = () =>
  text()
    .refine((value) => /^[a-z0-9_-]{0,32}$/.test(value), 'is invalid')
    .meta({ type: 'string', maxLength: 32, pattern: '^[a-z0-9_-]*$' });

/** Whether a text is an IP address or a network such as `10.0.0.0/8`. */
function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

/** A host name, to be resolved to an address. */
const isHostName = (value: string) =>
  value.length <= 253 && /^(?!-)[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/i.test(value) && !/^[\d.]+$/.test(value);

const hostOrNetwork = () =>
  text()
    .refine((value) => isNetwork(value) || isHostName(value), 'is invalid')
    .meta({ type: 'string' });

/** As the address of a client is compared with it. */
const network = () =>
  text()
    .refine((value) => !value.includes(',') && parseNetworks(value) !== null, 'is invalid')
    .meta({ type: 'string' });

/**
 * The settings at `/application/settings`, each declared once (contract/README.md "Settings of the instance"): parameters,
 * answers, defaults and documentation all come from here.
 */
export const applicationSettings = {
  plan: setting(oneOf(['free', 'premium', 'ultimate']), 'ultimate', 'Plan; what it lacks is refused or hidden.'),
  offering: setting(
    oneOf(['saas', 'self-managed', 'dedicated']),
    'self-managed',
    'Offering; what it lacks is not found.',
  ),
  deletion_adjourned_period: setting(
    wholeNumber(0),
    7,
    'Days that a deleted project or group can be restored; 0 removes it at once.',
  ),
  dora_refresh_delay_seconds: setting(
    wholeNumber(0),
    300,
    'Seconds until a change shows in DORA metrics; 0 is at once.',
  ),
  max_import_size: setting(wholeNumber(0), 0, 'Largest archive to import, in MiB; 0 is unlimited.'),
  max_import_remote_file_size: setting(
    wholeNumber(0),
    10_240,
    'Largest repository to import or to mirror from a URL, in MiB; 0 is unlimited.',
  ),
  max_decompressed_archive_size: setting(
    wholeNumber(0),
    25_600,
    'Largest decompressed archive to import, in MiB; 0 is unlimited.',
  ),
  bulk_import_enabled: setting(boolean(), true, 'If `true`, Owners can export single relations of their groups.'),
  max_artifacts_size: setting(wholeNumber(0), 100, 'Largest job artifact, in MiB; 0 is unlimited.'),
  receive_max_input_size: setting(wholeNumber(0), 0, 'Largest push, in MiB; 0 is unlimited.'),
  offset_pagination_limit: setting(
    wholeNumber(0),
    50_000,
    'Furthest record that offset pagination reaches where keyset pagination is offered; 0 is no limit.',
  ),
  default_project_visibility: setting(visibility(), 'private', 'Visibility of a project that names none.'),
  default_group_visibility: setting(visibility(), 'private', 'Visibility of a group that names none.'),
  ci_pipeline_variables_minimum_override_role: setting(
    oneOf(['no_one_allowed', 'developer', 'maintainer', 'owner']),
    'developer',
    'Role that may override pipeline variables in new projects.',
  ),
  git_push_pipeline_limit: setting(
    wholeNumber(0),
    4,
    'Branches and tags that one push may move to start pipelines; with more it starts none. 0 is unlimited.',
  ),
  deploy_token_prefix: setting(tokenPrefix(), 'gdt-', 'Prefix of new deploy tokens.'),
  deploy_token_username_prefix: setting(
    usernamePrefix(),
    'service',
    'Prefix of the default usernames of deploy tokens: `<prefix>+deploy-token-<id>`.',
  ),
  personal_access_token_prefix: setting(tokenPrefix(), 'pat-', 'Prefix of new personal access tokens.'),
  job_token_prefix: setting(tokenPrefix(), 'cjt-', 'Prefix of the tokens of jobs that run.'),
  compatibility_prefix: setting(
    globalIdPrefix(),
    '',
    'Prefix of global IDs in GraphQL responses in place of `service`, such as `gitlab` for clients that expect it.',
  ),
  require_personal_access_token_expiry: setting(
    boolean(),
    false,
    'If `true`, personal access tokens must have an expiration date within 365 days.',
  ),
  container_registry_token_expire_delay: setting(
    wholeNumber(1, 1440),
    5,
    'Minutes for which a token for the container registry is good.',
  ),
  session_expire_delay: setting(wholeNumber(1), 10_080, 'Minutes after which a session that is not used ends.'),
  oauth_applications_per_user: setting(
    wholeNumber(0),
    100,
    'Applications that one user may register for OAuth; 0 is unlimited.',
  ),
  monitoring_allowlist: setting(
    list(network(), { commas: true, max: 1000 }),
    ['127.0.0.0/8', '::1/128'],
    'Addresses and networks that may read probes and metrics.',
  ),
  prometheus_metrics_enabled: setting(
    boolean(),
    true,
    'If `true`, `/-/metrics` serves metrics; if `false`, one line that says so.',
  ),
  allow_local_requests_from_web_hooks_and_services: setting(
    boolean(),
    false,
    'If `true`, the service can send requests to local network addresses that users enter.',
  ),
  outbound_local_requests_whitelist: setting(
    list(hostOrNetwork(), { commas: true, max: 1000 }),
    [],
    'Hosts, addresses and networks that it may fetch from although they are local.',
  ),
  allow_runner_registration_token: setting(
    boolean(),
    false,
    'If `true`, programs of runners may register with a registration token: anybody who holds one can register any number of runners.',
  ),
  valid_runner_registrars: setting(
    list(oneOf(['group', 'project'])),
    ['project', 'group'],
    'Kinds of containers whose registration tokens are accepted: `project` and `group`.',
  ),
  ...spamSettings,
  ...jobSettings,
  ...limitSettings,
};

/** The limits at `/application/plan_limits`; 0 is unlimited. */
export const planLimits = {
  ci_pipeline_schedules: setting(wholeNumber(0), 10, 'Pipeline schedules of one project.'),
  ci_daily_pipeline_schedule_triggers: setting(wholeNumber(0), 0, 'Runs of one pipeline schedule a day.'),
  ci_pipeline_size: setting(wholeNumber(0), 2000, 'Jobs of one pipeline.'),
  ci_max_artifact_size: setting(wholeNumber(0), 0, "Largest artifact of a plan's projects, in MiB."),
  ci_jobs_trace_size_limit: setting(wholeNumber(0), 100, 'Largest log of a job, in MiB.'),
  project_ci_variables: setting(wholeNumber(0), 8000, 'CI/CD variables of one project.'),
  group_ci_variables: setting(wholeNumber(0), 30_000, 'CI/CD variables of one group.'),
  ci_instance_level_variables: setting(wholeNumber(0), 25, 'CI/CD variables of the instance.'),
  ci_registered_group_runners: setting(wholeNumber(0), 1000, 'Runners of one group.'),
  ci_registered_project_runners: setting(wholeNumber(0), 1000, 'Runners that are assigned to one project.'),
};

/** Everything that is set for the whole instance, in one bag: names are unique over both resources. */
export const instanceSettings = { ...applicationSettings, ...planLimits };

type InstanceSettings = ValuesOf<typeof instanceSettings>;

declare module '../../core/values/settings.js' {
  interface Settings extends InstanceSettings {}
}
