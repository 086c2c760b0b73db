import { queryOptions } from '@tanstack/react-query';
import { gql, graphql } from './graphql.js';

/** What a full path refers to; null if there is nothing there that the caller may see. */
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

/** The answer is reused for a minute, as a path is rarely reassigned to another record. */
export const pathKindQuery = (path: string) =>
  queryOptions({
    queryKey: ['path-kind', path],
    staleTime: 60_000,
    queryFn: async (): Promise<PathKind> => {
      const { project, group, user } = await graphql(PATH_KIND, { path, username: path });
      if (project) return 'project';
      if (group) return 'group';
      return user ? 'user' : null;
    },
  });
