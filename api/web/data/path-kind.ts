import { queryOptions } from '@tanstack/react-query';
import { gql, graphql } from './graphql.js';

/** The kind of a full path, as far as it is visible to the caller. */
export type PathKind = 'project' | 'group' | 'user' | null;

const PATH_KIND = gql(/* GraphQL */ `
  query PathKind($path: ID!, $username: String!) {
    project(fullPath: $path) {
      fullPath
    }
    group(fullPath: $path) {
      fullPath
    }
    user(username: $username) {
      username
    }
  }
`);

/** Requested once per address: a path is rarely reassigned to another record. */
export const pathKindQuery = (path: string) =>
  queryOptions({
    queryKey: ['named', path],
    staleTime: 60_000,
    queryFn: async (): Promise<PathKind> => {
      const { project, group, user } = await graphql(PATH_KIND, { path, username: path });
      if (project) return 'project';
      if (group) return 'group';
      return user ? 'user' : null;
    },
  });
