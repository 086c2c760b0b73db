import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { DiscussionBody } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import type { GraphqlDocument } from '../../../data/graphql.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import type { Noteable, ThreadsPage } from './noteable.js';

export type DiscussionThread = NonNullable<ThreadsPage['discussions']>['nodes'][number];

export type DiscussionNote = NonNullable<DiscussionThread['notes']>['nodes'][number];

/** The position of a note in a diff. */
export type NotePosition = NonNullable<DiscussionNote['position']>;

const PAGE = 20;

/** The fields of a page of threads, for the documents of each kind of record. */
export const THREADS = /* GraphQL */ `
  fragment Threads on NoteableInterface {
    discussions(first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        resolvable
        resolved
        resolvedBy {
          name
        }
        userPermissions {
          resolveNote
        }
        notes(first: 100) {
          nodes {
            id
            body
            bodyHtml
            system
            internal
            createdAt
            lastEditedAt
            author {
              name
              username
            }
            userPermissions {
              adminNote
              createNote
            }
            position {
              positionType
              filePath
              oldPath
              newPath
              oldLine
              newLine
              x
              y
              width
              height
              diffRefs {
                headSha
              }
              lineRange {
                start {
                  oldLine
                  newLine
                }
                end {
                  oldLine
                  newLine
                }
              }
            }
          }
        }
      }
    }
  }
`;

/** The threads of a noteable, oldest first, in pages. */
export const threadsQuery = ({ path, iid, loadThreads, noun, key }: Noteable, page = PAGE) =>
  infiniteQueryOptions({
    queryKey: [...key, 'threads', iid, page],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      const data = await loadThreads({ path, first: page, after: pageParam });
      const noteable = data.container?.noteable;
      const threadsPage = noteable && 'nodes' in noteable ? noteable.nodes[0] : noteable;
      if (!threadsPage) throw notThere(noun, data);
      return threadsPage;
    },
    getNextPageParam: ({ discussions }: ThreadsPage) =>
      discussions?.pageInfo.hasNextPage ? discussions.pageInfo.endCursor : null,
  });

interface Payload {
  errors: string[];
  quickActionsStatus?: { messages: string[] | null; errorMessages: string[] | null } | null;
}

const BAD_REQUEST = 400;

const CREATE_NOTE = gql(/* GraphQL */ `
  mutation CreateNote($input: CreateNoteInput!) {
    result: createNote(input: $input) {
      errors
      quickActionsStatus {
        commandsOnly
        messages
        errorMessages
      }
    }
  }
`);

const CREATE_DISCUSSION = gql(/* GraphQL */ `
  mutation CreateDiscussion($input: CreateDiscussionInput!) {
    result: createDiscussion(input: $input) {
      errors
      quickActionsStatus {
        commandsOnly
        messages
        errorMessages
      }
    }
  }
`);

const UPDATE_NOTE = gql(/* GraphQL */ `
  mutation UpdateNote($input: UpdateNoteInput!) {
    result: updateNote(input: $input) {
      errors
    }
  }
`);

const DESTROY_NOTE = gql(/* GraphQL */ `
  mutation DestroyNote($input: DestroyNoteInput!) {
    result: destroyNote(input: $input) {
      errors
    }
  }
`);

const TOGGLE_RESOLVE = gql(/* GraphQL */ `
  mutation DiscussionToggleResolve($input: DiscussionToggleResolveInput!) {
    result: discussionToggleResolve(input: $input) {
      errors
    }
  }
`);

/**
 * Runs one mutation.
 * @returns what its commands did, as sentences
 * @throws ApiProblem
 */
async function run<Variables extends object>(
  mutation: GraphqlDocument<{ result: Payload | null }, Variables>,
  variables: Variables,
): Promise<string[]> {
  const { result } = await graphql(mutation, variables);
  const { errors = [], quickActionsStatus: status } = result ?? {};
  const done = status?.messages ?? [];
  // If a note contained only commands, the API reports their effects as errors.
  if (errors.length > 0 && done.length === 0)
    throw new ApiProblem(errors.join(' '), BAD_REQUEST, null, { body: errors });
  return [...done, ...(status?.errorMessages ?? [])];
}

/** After a change all affected queries are refetched. */
function useThreadChange<In>({ key }: Noteable, change: (variables: In) => Promise<string[]>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
}

interface Said {
  noteableId: string;
  body: string;
  /** Of the thread that is answered. */
  discussionId?: string;
  thread?: boolean;
}

export const useComment = (of: Noteable) =>
  useThreadChange(of, ({ thread, ...input }: Said) =>
    thread ? run(CREATE_DISCUSSION, { input }) : run(CREATE_NOTE, { input }),
  );

/** The position of a new thread on a diff, in the API's format. */
export type NewPosition = NonNullable<DiscussionBody['position']>;

/** Starts a thread on a line or several of a diff, on a point of a picture, or on a file. @returns what its commands did */
export const useDiffComment = (of: Noteable) =>
  useThreadChange(of, async (body: { body: string; position: NewPosition }) => {
    const path = { id: of.path, merge_request_iid: of.iid };
    const route = '/projects/{id}/merge_requests/{merge_request_iid}/discussions';
    const result: object = await unwrap(api.POST(route, { params: { path }, body }));
    return 'summary' in result && Array.isArray(result.summary) ? result.summary.map(String) : [];
  });

export const useEditNote = (of: Noteable) =>
  useThreadChange(of, (input: { id: string; body: string }) => run(UPDATE_NOTE, { input }));

export const useDeleteNote = (of: Noteable) =>
  useThreadChange(of, (id: string) => run(DESTROY_NOTE, { input: { id } }));

export const useResolve = (of: Noteable) =>
  useThreadChange(of, (input: { id: string; resolve: boolean }) => run(TOGGLE_RESOLVE, { input }));
