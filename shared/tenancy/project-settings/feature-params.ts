import { boolean, optional, oneOf } from '../../core/fields.js';

/** From closed to open. */
export const LEVELS_IN_ORDER = ['disabled', 'private', 'enabled'] as const;

const level = (what: string) => optional(oneOf(LEVELS_IN_ORDER)).describe(`Who may use ${what}.`);
/** Pages and packages can be open to everybody although the project is not. */
const openLevel = (what: string) => optional(oneOf([...LEVELS_IN_ORDER, 'public'])).describe(`Who may use ${what}.`);
const twin = (key: string) => optional(boolean()).describe(`Deprecated: use ${key}.`);

/** The features of a project that its settings open and close (seed 2.10 "Access levels"). */
export const levelParams = {
  issues_access_level: level('issues'),
  repository_access_level: level('the repository'),
  merge_requests_access_level: level('merge requests'),
  forking_access_level: level('forking'),
  wiki_access_level: level('the wiki'),
  builds_access_level: level('CI/CD'),
  snippets_access_level: level('snippets'),
  pages_access_level: openLevel('pages'),
  analytics_access_level: level('analytics'),
  container_registry_access_level: level('the container registry'),
  security_and_compliance_access_level: level('security and compliance'),
  releases_access_level: level('releases'),
  environments_access_level: level('environments'),
  feature_flags_access_level: level('feature flags'),
  infrastructure_access_level: level('infrastructure'),
  monitor_access_level: level('monitoring'),
  model_experiments_access_level: level('model experiments'),
  model_registry_access_level: level('the model registry'),
  requirements_access_level: level('requirements'),
  package_registry_access_level: openLevel('packages'),
};

export type LevelName = keyof typeof levelParams;

/** Older switches: true opens a feature to whoever sees the project, false closes it. A level beside one wins. */
export const TWINS = {
  issues_enabled: 'issues_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  wiki_enabled: 'wiki_access_level',
  builds_enabled: 'builds_access_level',
  jobs_enabled: 'builds_access_level',
  snippets_enabled: 'snippets_access_level',
  container_registry_enabled: 'container_registry_access_level',
  packages_enabled: 'package_registry_access_level',
  security_and_compliance_enabled: 'security_and_compliance_access_level',
  requirements_enabled: 'requirements_access_level',
} as const satisfies Record<string, LevelName>;

export const twinParams = {
  issues_enabled: twin(TWINS.issues_enabled),
  merge_requests_enabled: twin(TWINS.merge_requests_enabled),
  wiki_enabled: twin(TWINS.wiki_enabled),
  builds_enabled: twin(TWINS.builds_enabled),
  jobs_enabled: twin(TWINS.jobs_enabled),
  snippets_enabled: twin(TWINS.snippets_enabled),
  container_registry_enabled: twin(TWINS.container_registry_enabled),
  packages_enabled: twin(TWINS.packages_enabled),
  security_and_compliance_enabled: twin(TWINS.security_and_compliance_enabled),
  requirements_enabled: twin(TWINS.requirements_enabled),
};
