import { useQuery } from '@tanstack/react-query';
import type { Container } from '../containers/address.js';
import { groupQuery, projectQuery } from '../repository-settings/queries.js';
import { useSession } from '../session/session.js';
import { roleQuery } from './queries.js';

const PLANNER = 15;
const OWNER = 50;

/** The role of whoever looks, by whatever way: 0 for none; administrators may what Owners may. */
export function useRole(of: Container): number {
  const person = useSession().data?.user ?? null;
  const { data: role = 0 } = useQuery({
    ...roleQuery(of, person?.id ?? 0),
    enabled: person !== null && !person.is_admin,
  });
  return person?.is_admin ? OWNER : role;
}

/** Whether somebody has at least a role in a project or group in which anything may still change. */
export function useMayWrite(of: Container, role = PLANNER): boolean {
  const enough = useRole(of) >= role;
  const project = useQuery({ ...projectQuery(of.path), enabled: enough && of.kind === 'project' }).data;
  const group = useQuery({ ...groupQuery(of.path), enabled: enough && of.kind === 'group' }).data;
  const found = of.kind === 'project' ? project : group;
  return enough && found !== undefined && !found.archived && (found.marked_for_deletion_on ?? null) === null;
}
