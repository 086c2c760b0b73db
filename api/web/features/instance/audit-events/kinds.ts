/** Labels of the API's entity types. */
const KINDS: Readonly<Record<string, string>> = {
  User: 'member or user',
  Project: 'project',
  Group: 'group',
  PersonalAccessToken: 'access token',
  ProtectedBranch: 'protected branch',
  ProtectedTag: 'protected tag',
  ProtectedEnvironment: 'protected environment',
  PipelineSchedule: 'pipeline schedule',
  DeployToken: 'deploy token',
  DeployKey: 'deploy key',
  Environment: 'environment',
  Deployment: 'deployment',
  Pipeline: 'pipeline',
  CiVariable: 'CI/CD variable',
  Issue: 'issue',
  Epic: 'epic',
  MergeRequest: 'merge request',
  Milestone: 'milestone',
  Note: 'comment',
  Snippet: 'snippet',
  Badge: 'badge',
  ContainerRepository: 'container image',
  OauthApplication: 'application',
  OauthGrant: 'application authorization',
  UserSession: 'session',
  Instance: 'instance',
};

/** Kinds in the log of the instance alone. */
const OF_INSTANCE = new Set(['OauthApplication', 'OauthGrant', 'UserSession', 'Instance']);

/** `PipelineSchedule` as people say it; also for kinds that are new. */
export const formatKind = (type: string): string =>
  KINDS[type] ?? type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The kinds to choose from, in a log of that kind. */
export const getKinds = (instance: boolean): { value: string; label: string }[] =>
  Object.entries(KINDS)
    .filter(([value]) => instance || !OF_INSTANCE.has(value))
    .map(([value, label]) => ({ value, label }));
