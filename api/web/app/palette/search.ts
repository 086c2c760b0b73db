import { groupPath, namespacePath, schedulePath } from '../routing/paths.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../data/api.js';

/** A record found by the search, with its address. */
interface Found {
  label: string;
  /** Its full path, or that of its container. */
  path: string;
  to: string;
}

const PER_KIND = 5;

type Search = (search: string, signal: AbortSignal) => Promise<Found[]>;

const projects: Search = async (search, signal) => {
  // The path of a project alone holds no slash.
  const query = { search, search_namespaces: search.includes('/'), simple: true, per_page: PER_KIND };
  const rows = await unwrap(
    api.GET('/projects', { params: { query: { ...query, order_by: 'last_activity_at' } }, signal }),
  );
  return rows.map(({ name, path_with_namespace: path }) => ({
    label: name,
    path,
    to: namespacePath(path),
  }));
};

const groups: Search = async (search, signal) => {
  const rows = await unwrap(api.GET('/groups', { params: { query: { search, per_page: PER_KIND } }, signal }));
  return rows.map(({ name, full_path: path }) => ({ label: name, path, to: groupPath(path) }));
};

const schedules: Search = async (search, signal) => {
  const query = { search, per_page: PER_KIND, pagination: 'keyset' } as const;
  const rows = await unwrap(api.GET('/pipeline_schedules', { params: { query }, signal }));
  return rows.map(({ id, description, project: { path_with_namespace: path } }) => ({
    label: description,
    path,
    to: schedulePath(path, id),
  }));
};

const people: Search = async (search, signal) => {
  const rows = await unwrap(api.GET('/users', { params: { query: { search, per_page: PER_KIND } }, signal }));
  return (rows as { name: string; username: string }[]).map(({ name, username }) => ({
    label: name,
    path: `@${username}`,
    to: `/${username}`,
  }));
};

/** A search that a newer one overtakes is cancelled by its signal. */
const searchQuery = (kind: string, search: Search, text: string) =>
  queryOptions({
    queryKey: ['palette', kind, text],
    queryFn: ({ signal }) => search(text, signal),
    staleTime: 30_000,
    retry: false,
  });

/**
 * Records whose names contain a text, of each kind that the caller may search.
 * @param text no request is sent while it is empty
 */
export function useFound(text: string, signedIn: boolean) {
  const enabled = text !== '';
  const forPeople = enabled && signedIn;
  return [
    { title: 'Projects', query: useQuery({ ...searchQuery('projects', projects, text), enabled }) },
    { title: 'Groups', query: useQuery({ ...searchQuery('groups', groups, text), enabled }) },
    {
      title: 'Schedules',
      query: useQuery({ ...searchQuery('schedules', schedules, text), enabled: forPeople }),
    },
    { title: 'People', query: useQuery({ ...searchQuery('people', people, text), enabled: forPeople }) },
  ];
}
