import { useQuery } from '@tanstack/react-query';
import { projectQuery } from './containers.js';
import { useSession } from './session.js';

const DEVELOPER = 30;

/** Whether the user may create branches and tags in a project, according to its record; protections may override it. */
export function useMayPush(path: string): boolean {
  const person = useSession().data?.user ?? null;
  const project = useQuery(projectQuery(path)).data;
  if (!person || !project || project.archived) return false;
  const { project_access: own, group_access: byGroup } = project.permissions ?? {};
  return person.is_admin || Math.max(own?.access_level ?? 0, byGroup?.access_level ?? 0) >= DEVELOPER;
}
