import type { MenuContext, MenuName } from './route.js';

/*
 * Conditions under which menus list a page.
 */

const MAINTAINER = 40;

/** A feature that the record of a project says nothing of is enabled. */
const isOn = (enabled: boolean | undefined) => enabled !== false;

export const hasCode = ({ project }: MenuContext) => project?.default_branch !== undefined && !project.empty_repo;
export const hasIssues = ({ project }: MenuContext) => isOn(project?.issues_enabled);
export const hasMergeRequests = ({ project }: MenuContext) => isOn(project?.merge_requests_enabled);
export const hasPipelines = ({ project }: MenuContext) => isOn(project?.jobs_enabled);
export const readsConfiguration = (context: MenuContext) => hasCode(context) && hasPipelines(context);
export const hasSnippets = ({ project }: MenuContext) => isOn(project?.snippets_enabled);
export const hasPackages = ({ project }: MenuContext) => isOn(project?.packages_enabled);
export const hasMilestones = (context: MenuContext) => hasIssues(context) || hasMergeRequests(context);
export const isSignedIn = ({ person }: MenuContext) => person !== null;

/** Whether the user is an administrator, or Maintainer of the project directly or by its group. */
export function maintainsProject({ person, project }: MenuContext): boolean {
  const { project_access: own, group_access: byGroup } = project?.permissions ?? {};
  return person?.is_admin === true || Math.max(own?.access_level ?? 0, byGroup?.access_level ?? 0) >= MAINTAINER;
}

/** Only Owners receive this field of a group. */
export const ownsGroup = ({ group }: MenuContext) => group !== undefined && 'runners_token' in group;

/** Tabs link all settings to each other; the menu offers them to those who may change them. */
export const listSettings =
  (mayChange: (context: MenuContext) => boolean) =>
  (context: MenuContext, menu: MenuName): boolean =>
    menu.endsWith('_settings') || mayChange(context);
