import { declareSettings } from '../namespaces/declared-settings.js';
import type { SettingOptions } from '../namespaces/declared-settings.js';
import { olderFlag } from '../namespaces/setting-kinds.js';
import { kind } from './declared-kinds.js';
import type { ProjectAudience } from './declared-kinds.js';

type Options = SettingOptions<ProjectAudience>;

/** From closed to open. */
export const LEVELS_IN_ORDER = ['disabled', 'private', 'enabled'] as const;
/** Pages and packages can be open to everybody although the project is not. */
const OPEN_LEVELS = [...LEVELS_IN_ORDER, 'public'] as const;

const accessTo = (feature: string) => `Access level of ${feature}.`;
const ofFeature = { inherited: true, graphql: true } as const;

/** A level that a right or a filter of lists depends on. */
const recordLevel = <const O extends Options>(what: string, options: O) =>
  kind.choice(
    LEVELS_IN_ORDER,
    'enabled',
    accessTo(what),
    { ...ofFeature, inRecord: true, ...options } as const,
    LEVELS_IN_ORDER,
  );

const level = <const O extends Options>(what: string, options: O, initial: 'enabled' | 'private' = 'enabled') =>
  kind.choice(LEVELS_IN_ORDER, initial, accessTo(what), { ...ofFeature, ...options } as const, OPEN_LEVELS);

/** A deprecated switch: true opens a feature to all users with access to the project, false disables it. */
const twin = <const N extends string>(replacedBy: N) =>
  olderFlag(replacedBy, (open) => (open ? 'enabled' : 'disabled'));

/** The features of a project that its settings open and close (projects.md "Access levels"), and their older switches. */
export const featureSettings = declareSettings({
  issues_access_level: recordLevel('issues', { audited: true }),
  repository_access_level: recordLevel('the repository', { audited: true }),
  merge_requests_access_level: recordLevel('merge requests', { audited: true }),
  forking_access_level: recordLevel('forking', { audited: true, graphql: 'Access level of forking the project.' }),
  wiki_access_level: recordLevel('the wiki', {}),
  builds_access_level: recordLevel('CI/CD', { audited: true }),
  snippets_access_level: recordLevel('snippets', {}),
  // Of a new project: `private` where the project is, else `enabled`.
  pages_access_level: kind.choice(
    OPEN_LEVELS,
    undefined,
    accessTo('pages'),
    { audited: true, graphql: true },
    OPEN_LEVELS,
  ),
  analytics_access_level: recordLevel('analytics', {}),
  container_registry_access_level: recordLevel('the container registry', { audited: true }),
  security_and_compliance_access_level: level('security and compliance', {}, 'private'),
  releases_access_level: level('releases', {}),
  environments_access_level: recordLevel('environments', {}),
  feature_flags_access_level: level('feature flags', {}),
  infrastructure_access_level: level('infrastructure', {}),
  monitor_access_level: level('monitoring', {}),
  model_experiments_access_level: level('model experiments', {}),
  model_registry_access_level: level('the model registry', {}),
  requirements_access_level: kind.choice(
    LEVELS_IN_ORDER,
    'enabled',
    accessTo('requirements'),
    { ...ofFeature, plan: 'ultimate' },
    LEVELS_IN_ORDER,
  ),
  package_registry_access_level: kind.choice(
    OPEN_LEVELS,
    'enabled',
    accessTo('packages'),
    { ...ofFeature, audited: true, inRecord: true },
    OPEN_LEVELS,
  ),
  issues_enabled: twin('issues_access_level'),
  merge_requests_enabled: twin('merge_requests_access_level'),
  wiki_enabled: twin('wiki_access_level'),
  builds_enabled: twin('builds_access_level'),
  jobs_enabled: twin('builds_access_level'),
  snippets_enabled: twin('snippets_access_level'),
  container_registry_enabled: twin('container_registry_access_level'),
  packages_enabled: twin('package_registry_access_level'),
  security_and_compliance_enabled: twin('security_and_compliance_access_level'),
  requirements_enabled: twin('requirements_access_level'),
});
