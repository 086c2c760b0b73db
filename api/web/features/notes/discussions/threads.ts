import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { DiscussionBody } from '../../../data/api.js';
import { graphql, notThere } from '../../../data/graphql.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import type { Noteable } from './noteable.js';

export interface DiscussionNote {
  id: string;
  body: string;
  bodyHtml: string | null;
  system: boolean;
  internal: boolean;
  createdAt: string;
  lastEditedAt: string | null;
  author: { name: string; username: string } | null;
  userPermissions: { adminNote: boolean; createNote: boolean };
  /** Of notes on diffs. */
  position: NotePosition | null;
}

/** The position of a note in a diff. */
export interface NotePosition {
  positionType: 'text' | 'image' | 'file';
  filePath: string;
  oldPath: string | null;
  newPath: string | null;
  oldLine: number | null;
  newLine: number | null;
  /** Of a note that covers several lines. */
  lineRange: { start: LineNumbers; end: LineNumbers } | null;
  /** Of a point of a picture, in pixels. */
  x: number | null;
  y: number | null;
  width: number | null;
  height: number | null;
  diffRefs: { headSha: string };
}

interface LineNumbers {
  oldLine: number | null;
  newLine: number | null;
}

export interface DiscussionThread {
  id: string;
  resolvable: boolean;
  resolved: boolean;
  resolvedBy: { name: string } | null;
  userPermissions: { resolveNote: boolean };
  notes: { nodes: DiscussionNote[] };
}

export interface ThreadsPage {
  id: string;
  discussions: { nodes: DiscussionThread[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const PAGE = 20;

const THREADS = (page: number) => `
  id
  discussions(first: ${page}, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id resolvable resolved resolvedBy { name } userPermissions { resolveNote }
      notes(first: 100) {
        nodes {
          id body bodyHtml system internal createdAt lastEditedAt author { name username }
          userPermissions { adminNote createNote }
          position {
            positionType filePath oldPath newPath oldLine newLine x y width height diffRefs { headSha }
            lineRange { start { oldLine newLine } end { oldLine newLine } }
          }
        }
      }
    }
  }`;

function threadsOf({ in: container, by, type, list }: Noteable['found'], page: number): string {
  const threads = list ? `nodes { ${THREADS(page)} }` : THREADS(page);
  return `query ($path: ID!, $id: ${type}, $after: String) {
    container: ${container}(fullPath: $path) { noteable: ${by} { ${threads} } }
  }`;
}

/** The threads of a noteable, oldest first, in pages. */
export const threadsQuery = ({ path, iid, found, noun, key }: Noteable, page = PAGE) =>
  infiniteQueryOptions({
    queryKey: [...key, 'threads', iid, page],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      type Answer = { container: { noteable: ThreadsPage | { nodes: ThreadsPage[] } | null } | null };
      const data = await graphql<Answer>(threadsOf(found, page), { path, id: found.id, after: pageParam });
      const noteable = data.container?.noteable;
      const threadsPage = noteable && 'nodes' in noteable ? noteable.nodes[0] : noteable;
      if (!threadsPage) throw notThere(noun, data);
      return threadsPage;
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
  // If a note contained only commands, the API reports their effects as errors.
  if (errors.length > 0 && done.length === 0)
    throw new ApiProblem(errors.join(' '), BAD_REQUEST, null, { body: errors });
  return [...done, ...(status?.errorMessages ?? [])];
}

const STATUS = 'quickActionsStatus { commandsOnly messages errorMessages }';

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
  useThreadChange(of, ({ thread, ...input }: Said) => run(thread ? 'createDiscussion' : 'createNote', input, STATUS));

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
  useThreadChange(of, (input: { id: string; body: string }) => run('updateNote', input));

export const useDeleteNote = (of: Noteable) => useThreadChange(of, (id: string) => run('destroyNote', { id }));

export const useResolve = (of: Noteable) =>
  useThreadChange(of, (input: { id: string; resolve: boolean }) => run('discussionToggleResolve', input));
