import { useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { MergeRequestEdit, NewMergeRequest, MergeAttributes } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { idsOfPeople } from '../../../data/people-by-name.js';
import { MERGE_REQUESTS } from './queries.js';

/** After each change, successful or refused, all queries about the project's merge requests are refetched. */
function useRequestChange<In, Out>(path: string, change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [MERGE_REQUESTS, path] }),
  });
}

const requestParams = (path: string, iid: number) => ({ path: { id: path, merge_request_iid: iid } });

/** The changes of a merge request in a form: users by user name, undefined if unchanged. */
export interface MergeRequestAttributes extends MergeRequestEdit {
  assignees?: string[];
  reviewers?: string[];
}

type People = Parameters<typeof idsOfPeople>[2];

async function idsIn(field: 'assignee_ids' | 'reviewer_ids', names: readonly string[] | undefined, people: People) {
  if (names === undefined) return {};
  return { [field]: await idsOfPeople(field.replace('_ids', 's'), names, people) };
}

/**
 * Changes only the submitted attributes.
 * @param people users whose ids are already known
 */
export const useEditRequest = (path: string, iid: number, people: People = []) =>
  useRequestChange(path, async ({ assignees, reviewers, ...values }: MergeRequestAttributes) => {
    const body = {
      ...values,
      ...(await idsIn('assignee_ids', assignees, people)),
      ...(await idsIn('reviewer_ids', reviewers, people)),
    };
    return unwrap(
      api.PUT('/projects/{id}/merge_requests/{merge_request_iid}', { params: requestParams(path, iid), body }),
    );
  });

/** Starts a job that rebases the source branch onto the target branch. */
export const useRebase = (path: string, iid: number) =>
  useRequestChange(path, () =>
    unwrap(
      api.PUT('/projects/{id}/merge_requests/{merge_request_iid}/rebase', {
        params: requestParams(path, iid),
        body: {},
      }),
    ),
  );

const MOVED = 'New commits were added. Review them first.';

/** Messages for errors whose text only repeats their status. */
const NOT_MERGED: Record<number, string> = {
  401: "You don't have permission to merge into this branch.",
  405: "This merge request can't be merged. See the reason above.",
  409: MOVED,
};
const NOT_APPROVED: Record<number, string> = {
  401: "You don't have permission to approve this merge request.",
  409: MOVED,
};

/** @throws ApiProblem with a descriptive message */
const explainError =
  (messages: Record<number, string>) =>
  (error: unknown): never => {
    const message = error instanceof ApiProblem ? messages[error.status] : undefined;
    if (message === undefined) throw error;
    const { status, requestId } = error as ApiProblem;
    // A right that is missing does not mean that the session ended.
    throw new ApiProblem(message, status === 401 ? 403 : status, requestId);
  };

/** Merges it, or has it merged once its pipeline succeeds. */
export const useMerge = (path: string, iid: number) =>
  useRequestChange(path, (body: MergeAttributes) =>
    unwrap(
      api.PUT('/projects/{id}/merge_requests/{merge_request_iid}/merge', { params: requestParams(path, iid), body }),
    ).catch(explainError(NOT_MERGED)),
  );

/** Auto-merge canceled. */
export const useCancelAutoMerge = (path: string, iid: number) =>
  useRequestChange(path, () =>
    unwrap(
      api.POST('/projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds', {
        params: requestParams(path, iid),
      }),
    ),
  );

/** Approves the head that the person saw, or takes that back. */
export const useApproval = (path: string, iid: number) =>
  useRequestChange(path, ({ approve, sha }: { approve: boolean; sha: string | null }) => {
    const params = requestParams(path, iid);
    const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> = approve
      ? api.POST('/projects/{id}/merge_requests/{merge_request_iid}/approve', {
          params,
          body: sha === null ? {} : { sha },
        })
      : api.POST('/projects/{id}/merge_requests/{merge_request_iid}/unapprove', { params });
    return unwrap(answer).catch(explainError(NOT_APPROVED));
  });

/** Refusals are sentences, some in a list, each about one of the branches. */
function atBranches(error: unknown): never {
  if (!(error instanceof ApiProblem) || Object.keys(error.fields).length > 0) throw error;
  const { message, status, requestId } = error;
  const field = /source (?:branch|project)|source and target/i.test(message) ? 'source_branch' : null;
  throw field === null ? error : new ApiProblem(message, status, requestId, { [field]: [message] });
}

export const useCreateRequest = (path: string) =>
  useRequestChange(path, (body: NewMergeRequest) =>
    unwrap(api.POST('/projects/{id}/merge_requests', { params: { path: { id: path } }, body })).catch(atBranches),
  );
