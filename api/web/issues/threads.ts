import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql } from '../client/graphql.js';
import { ApiProblem } from '../client/problem.js';
import { ISSUES } from './queries.js';

export interface ShownNote {
  id: string;
  body: string;
  bodyHtml: string | null;
  system: boolean;
  internal: boolean;
  createdAt: string;
  lastEditedAt: string | null;
  author: { name: string; username: string } | null;
  userPermissions: { adminNote: boolean; createNote: boolean };
}

export interface ShownThread {
  id: string;
  resolvable: boolean;
  resolved: boolean;
  resolvedBy: { name: string } | null;
  userPermissions: { resolveNote: boolean };
  notes: { nodes: ShownNote[] };
}

interface ThreadsPage {
  id: string;
  discussions: { nodes: ShownThread[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const PAGE = 20;

const THREADS = `query ($path: ID!, $iid: String!, $after: String) {
  project(fullPath: $path) {
    issue(iid: $iid) {
      id
      discussions(first: ${PAGE}, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id resolvable resolved resolvedBy { name } userPermissions { resolveNote }
          notes(first: 100) {
            nodes {
              id body bodyHtml system internal createdAt lastEditedAt author { name username }
              userPermissions { adminNote createNote }
            }
          }
        }
      }
    }
  }
}`;

/** What is said about an issue, by threads, the first one first. */
export const threadsQuery = (path: string, iid: number) =>
  infiniteQueryOptions({
    queryKey: [ISSUES, path, 'threads', iid],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      type Answer = { project: { issue: ThreadsPage | null } | null };
      const { project } = await graphql<Answer>(THREADS, { path, iid: String(iid), after: pageParam });
      if (!project?.issue) throw new ApiProblem('There is no such issue, or you may not see it.', 404, null);
      return project.issue;
    },
    getNextPageParam: ({ discussions: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  });

interface Payload {
  errors: string[];
  quickActionsStatus?: { commandsOnly: boolean; messages: string[]; errorMessages: string[] } | null;
}

const BAD_REQUEST = 400;

/** Runs one mutation. @returns what its commands did, as sentences @throws ApiProblem */
async function run(name: string, input: object, more = ''): Promise<string[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { result: ${name}(input: $input) { errors ${more} } }`;
  const { result } = await graphql<{ result: Payload }>(query, { input });
  const { errors, quickActionsStatus: status } = result;
  const done = status?.messages ?? [];
  // Where there was nothing but commands, what they did is told among the errors.
  if (errors.length > 0 && done.length === 0)
    throw new ApiProblem(errors.join(' '), BAD_REQUEST, null, { body: errors });
  return [...done, ...(status?.errorMessages ?? [])];
}

const STATUS = 'quickActionsStatus { commandsOnly messages errorMessages }';

/** After a change everything about the project's issues is asked for again: commands change the issue itself. */
function useThreadChange<In>(path: string, change: (given: In) => Promise<string[]>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [ISSUES, path] }),
  });
}

interface Said {
  noteableId: string;
  body: string;
  /** Of the thread that is answered. */
  discussionId?: string;
  thread?: boolean;
}

export const useComment = (path: string) =>
  useThreadChange(path, ({ thread, ...input }: Said) => run(thread ? 'createDiscussion' : 'createNote', input, STATUS));

export const useEditNote = (path: string) =>
  useThreadChange(path, (input: { id: string; body: string }) => run('updateNote', input));

export const useDeleteNote = (path: string) => useThreadChange(path, (id: string) => run('destroyNote', { id }));

export const useResolve = (path: string) =>
  useThreadChange(path, (input: { id: string; resolve: boolean }) => run('discussionToggleResolve', input));
