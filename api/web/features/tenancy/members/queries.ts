import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useListChange } from '../../../data/list-change.js';
import { ApiProblem } from '../../../data/problem.js';
import type { Container } from '../../../data/containers.js';
import { MEMBERS } from '../../../data/member-rights.js';

export type Member = Schemas['Member'];

type Level = 10 | 15 | 20 | 30 | 40 | 50;

/** Roles by their level, from the least on. */
const ROLES: Readonly<Record<number, string>> = {
  5: 'Minimal access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

export const formatRole = (level: number): string => ROLES[level] ?? String(level);

/** Roles that a form offers. */
export const ROLE_CHOICES = Object.entries(ROLES)
  .filter(([level]) => Number(level) >= 10)
  .map(([value, label]) => ({ value, label }));

const PER_PAGE = 20;

/**
 * A page of members.
 * @param all with those that come from groups above
 */
export const membersQuery = ({ kind, path }: Container, all: boolean, search: string, page: number) =>
  queryOptions({
    queryKey: [MEMBERS, kind, path, all, search, page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE, ...(search === '' ? {} : { query: search }) };
      const params = { params: { path: { id: path }, query } };
      if (kind === 'project')
        return unwrapPage<Member[]>(
          all ? api.GET('/projects/{id}/members/all', params) : api.GET('/projects/{id}/members', params),
        );
      return unwrapPage<Member[]>(
        all ? api.GET('/groups/{id}/members/all', params) : api.GET('/groups/{id}/members', params),
      );
    },
  });

export interface MemberAttributes {
  username: string;
  level: number;
  /** The day on which it ends; empty for none. */
  expiresAt: string;
}

/** Several members may be added at once; each rejection is reported by user name. */
function throwRejections({ status, message }: Schemas['AddedMembers']): void {
  if (status !== 'error') return;
  const messages = typeof message === 'object' ? Object.entries(message).map(([name, said]) => `${name}: ${said}`) : [];
  throw new ApiProblem(messages.join('; '), 400, null);
}

export const useAddMember = ({ kind, path }: Container) =>
  useListChange([MEMBERS], async ({ username, level, expiresAt }: MemberAttributes) => {
    const body = {
      username,
      access_level: level,
      ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
    };
    const params = { path: { id: path } };
    throwRejections(
      kind === 'project'
        ? await unwrap(api.POST('/projects/{id}/members', { params, body }))
        : await unwrap(api.POST('/groups/{id}/members', { params, body })),
    );
  });

export interface ChangedMember {
  id: number;
  level: number;
  expiresAt: string;
}

export const useChangeMember = ({ kind, path }: Container) =>
  useListChange([MEMBERS], ({ id, level, expiresAt }: ChangedMember): Promise<unknown> => {
    const body = { access_level: level as Level, expires_at: expiresAt === '' ? null : expiresAt };
    const params = { path: { id: path, user_id: id } };
    return kind === 'project'
      ? unwrap(api.PUT('/projects/{id}/members/{user_id}', { params, body }))
      : unwrap(api.PUT('/groups/{id}/members/{user_id}', { params, body }));
  });

export const useRemoveMember = ({ kind, path }: Container) =>
  useListChange([MEMBERS], (id: number): Promise<unknown> => {
    const params = { path: { id: path, user_id: id } };
    return kind === 'project'
      ? unwrap(api.DELETE('/projects/{id}/members/{user_id}', { params }))
      : unwrap(api.DELETE('/groups/{id}/members/{user_id}', { params }));
  });
