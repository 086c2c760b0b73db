import { parseIssueReference } from './reference.js';
import { useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { IssueEdit, IssuePerson, LinkedIssue, LinkOfIssues, NewIssue, Project } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { idsOfPeople } from '../../../data/people-by-name.js';
import { ISSUES } from './queries.js';

/** After a change all queries about the project's issues are refetched. */
function useIssueChange<In, Out>(path: string, change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [ISSUES, path] }),
  });
}

const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** @throws ApiProblem at the field */
const wrong = (field: string, message: string) => new ApiProblem(message, BAD_REQUEST, null, { [field]: [message] });

/** The values of an issue in a form: users by user name, undefined if unchanged. */
export interface IssueAttributes extends NewIssue {
  assignees?: string[];
}

async function withIds({ assignees, ...values }: Partial<IssueAttributes>, people: readonly IssuePerson[]) {
  return {
    ...values,
    ...(assignees === undefined ? {} : { assignee_ids: await idsOfPeople('assignees', assignees, people) }),
  };
}

export const useCreateIssue = (path: string) =>
  useIssueChange(path, async (attributes: IssueAttributes) =>
    unwrap(
      api.POST('/projects/{id}/issues', {
        params: { path: { id: path } },
        body: (await withIds(attributes, [])) as NewIssue,
      }),
    ),
  );

/** Changes only the submitted attributes. */
export const useEditIssue = (path: string, iid: number, assigned: readonly IssuePerson[]) =>
  useIssueChange(path, async (attributes: Partial<IssueAttributes> & Pick<IssueEdit, 'state_event'>) =>
    unwrap(
      api.PUT('/projects/{id}/issues/{issue_iid}', {
        params: { path: { id: path, issue_iid: iid } },
        body: await withIds(attributes, assigned),
      }),
    ),
  );

const NOT_MODIFIED = 304;

/** Changes whether the caller is notified about the issue. An unchanged state is not an error. */
export const useSubscription = (path: string, iid: number) =>
  useIssueChange(path, async (subscribe: boolean) => {
    const params = { path: { id: path, issue_iid: iid } };
    const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> = subscribe
      ? api.POST('/projects/{id}/issues/{issue_iid}/subscribe', { params })
      : api.POST('/projects/{id}/issues/{issue_iid}/unsubscribe', { params });
    const { response } = await answer;
    if (response.status !== NOT_MODIFIED) await unwrap(answer);
  });

/** The project of a path. @throws ApiProblem at the field where there is none */
async function getProject(path: string): Promise<Project> {
  const absent = wrong('project', "Project not found, or you don't have access to it.");
  if (path === '') throw absent;
  try {
    return (await unwrap(api.GET('/projects/{id}', { params: { path: { id: path }, query: {} } }))) as Project;
  } catch (error) {
    throw error instanceof ApiProblem && error.status === NOT_FOUND ? absent : error;
  }
}

/** Moves or copies the issue to another project. Returns the new address. */
export const useCopyIssue = (path: string, iid: number, way: 'move' | 'clone') =>
  useIssueChange(path, async (to: string) => {
    const target = await getProject(to);
    const said = { params: { path: { id: path, issue_iid: iid } }, body: { to_project_id: target.id } };
    const newIssue = await unwrap(
      way === 'move'
        ? api.POST('/projects/{id}/issues/{issue_iid}/move', said)
        : api.POST('/projects/{id}/issues/{issue_iid}/clone', said),
    );
    return { to: target.path_with_namespace, iid: newIssue.iid };
  });

/** The issue itself is not refetched. */
export function useDeleteIssue(path: string, iid: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/projects/{id}/issues/{issue_iid}', {
          params: { path: { id: path, issue_iid: iid } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ISSUES, path], refetchType: 'none' }),
  });
}

interface LinkAttributes {
  reference: string;
  type: LinkOfIssues['link_type'];
}

export const useAddLink = (path: string, iid: number) =>
  useIssueChange(path, async ({ reference, type }: LinkAttributes) => {
    const target = parseIssueReference(reference, path);
    if (!target) throw wrong('reference', 'Enter an issue reference, such as #12 or group/project#12.');
    return unwrap(
      api.POST('/projects/{id}/issues/{issue_iid}/links', {
        params: { path: { id: path, issue_iid: iid } },
        body: { target_project_id: target.path, target_issue_iid: target.iid, link_type: type },
      }),
    ).catch((error: unknown) => {
      const absent = error instanceof ApiProblem && error.status === NOT_FOUND;
      throw absent ? wrong('reference', "Issue not found, or you don't have access to it.") : error;
    });
  });

export const useRemoveLink = (path: string, iid: number) =>
  useIssueChange(path, ({ issue_link_id: id }: LinkedIssue) =>
    unwrap(
      api.DELETE('/projects/{id}/issues/{issue_iid}/links/{issue_link_id}', {
        params: { path: { id: path, issue_iid: iid, issue_link_id: id } },
      }),
    ),
  );
