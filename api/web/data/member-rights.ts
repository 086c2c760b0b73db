import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from './api.js';
import { groupQuery, projectQuery } from './containers.js';
import type { Container } from './containers.js';
import { useSession } from './session.js';

/** First word of the keys of queries of members. */
export const MEMBERS = 'members';

/** The role of somebody by whatever way; 0 for none. A list of one, as a member that is not there is no refusal. */
export const roleQuery = ({ kind, path }: Container, userId: number) =>
  queryOptions({
    queryKey: [MEMBERS, kind, path, 'role', userId],
    queryFn: async () => {
      const params = { params: { path: { id: path }, query: { 'user_ids[]': [userId] } } };
      const found: Schemas['Member'][] = await unwrap<Schemas['Member'][]>(
        kind === 'project'
          ? api.GET('/projects/{id}/members/all', params)
          : api.GET('/groups/{id}/members/all', params),
      );
      return found[0]?.access_level ?? 0;
    },
  });

const PLANNER = 15;
const OWNER = 50;

/** The current user's direct or inherited role: 0 for none; administrators count as Owners. */
export function useRole(of: Container): number {
  const person = useSession().data?.user ?? null;
  const { data: role = 0 } = useQuery({
    ...roleQuery(of, person?.id ?? 0),
    enabled: person !== null && !person.is_admin,
  });
  return person?.is_admin ? OWNER : role;
}

/** Whether the user has at least a certain role in a project or group that is not read-only. */
export function useMayWrite(of: Container, role = PLANNER): boolean {
  const enough = useRole(of) >= role;
  const project = useQuery({ ...projectQuery(of.path), enabled: enough && of.kind === 'project' }).data;
  const group = useQuery({ ...groupQuery(of.path), enabled: enough && of.kind === 'group' }).data;
  const found = of.kind === 'project' ? project : group;
  return enough && found !== undefined && !found.archived && (found.marked_for_deletion_on ?? null) === null;
}
