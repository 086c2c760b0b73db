import { queryOptions } from '@tanstack/react-query';
import { graphql } from '../client/graphql.js';

interface Answer {
  projects: { nodes: { id: string; fullPath: string }[] };
}

const PATHS = 'query ($ids: [ID!]) { projects(ids: $ids) { nodes { id fullPath } } }';

/** Where projects are, by their ids; those that the caller may not see are left out. */
export const pathsOfProjectsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['paths of projects', ids],
    queryFn: async (): Promise<ReadonlyMap<number, string>> => {
      const { projects } = await graphql<Answer>(PATHS, { ids: ids.map((id) => `gid://gitlab/Project/${id}`) });
      return new Map(projects.nodes.map(({ id, fullPath }) => [Number(id.slice(id.lastIndexOf('/') + 1)), fullPath]));
    },
  });
