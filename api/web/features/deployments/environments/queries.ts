import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { gql, graphql, notThere, switchedOff } from '../../../data/graphql.js';
import type { DataOf } from '../../../data/graphql.js';
import { useMutation } from '../../../data/mutation.js';

const ENVIRONMENTS = 'environments';
const PER_PAGE = 20;

/** Queries that are refetched when environments of a project or their deployments change. */
export const getLiveQueries = (path: string) => {
  const keys = [[ENVIRONMENTS, path]];
  return { environments: keys, deployments: keys };
};

/** The filters of the environments list. */
export interface EnvironmentFilters {
  stopped: boolean;
  /** Where the page before ended; null for the first page. */
  after: string | null;
}

const LIST = gql(/* GraphQL */ `
  query EnvironmentList($path: ID!, $states: [String!], $first: Int, $after: String) {
    project(fullPath: $path) {
      nameWithNamespace
      environments(states: $states, first: $first, after: $after) {
        nodes {
          id
          name
          state
          tier
          externalUrl
          lastDeployment(status: SUCCESS) {
            iid
            ref
            sha
            finishedAt
            triggerer {
              name
            }
          }
          running: lastDeployment(status: RUNNING) {
            iid
            ref
            createdAt
          }
          failed: lastDeployment(status: FAILED) {
            iid
            ref
            createdAt
          }
          waiting: lastDeployment(status: BLOCKED) {
            id
            iid
            ref
            sha
            createdAt
            triggerer {
              name
            }
            approvals {
              status
              comment
              user {
                name
              }
            }
            approvalSummary {
              totalRequiredApprovals
              totalPendingApprovalCount
            }
            userPermissions {
              approveDeployment
            }
          }
          protectedEnvironments(first: 20) {
            nodes {
              name
              group {
                fullPath
              }
              deployAccessLevels(first: 20) {
                nodes {
                  accessLevelDescription
                }
              }
              approvalRules(first: 20) {
                nodes {
                  accessLevelDescription
                  requiredApprovals
                }
              }
            }
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

type EnvironmentConnection = NonNullable<NonNullable<DataOf<typeof LIST>['project']>['environments']>;

/** An environment of the list. */
export type ListedEnvironment = EnvironmentConnection['nodes'][number];

/** A deployment that waits for approvals. */
export type WaitingDeployment = NonNullable<ListedEnvironment['waiting']>;

/** What protects an environment: a rule of its project, or of a group. */
export type Protection = NonNullable<ListedEnvironment['protectedEnvironments']>['nodes'][number];

/** A page of a project's environments, each with its deployments. */
export const environmentsQuery = (path: string, { stopped, after }: EnvironmentFilters) =>
  queryOptions({
    queryKey: [ENVIRONMENTS, path, stopped, after],
    queryFn: async () => {
      const states = stopped ? ['stopped'] : ['available', 'stopping'];
      const data = await graphql(LIST, { path, states, first: PER_PAGE, after });
      const { project } = data;
      if (!project) throw notThere('project', data);
      if (!project.environments) throw switchedOff('Environments', data);
      const { nodes, pageInfo } = project.environments;
      return { name: project.nameWithNamespace, rows: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
    },
  });

/** The decision on a deployment that waits for approval. */
export interface Decision {
  deployment: WaitingDeployment;
  status: 'approved' | 'rejected';
  comment: string;
}

/** Approves or rejects a deployment, and then refetches the list. */
export function useDecision(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ deployment, status, comment }: Decision) =>
      unwrap(
        api.POST('/projects/{id}/deployments/{deployment_id}/approval', {
          params: { path: { id: path, deployment_id: Number(deployment.id.split('/').at(-1)) } },
          body: { status, ...(comment === '' ? {} : { comment }) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ENVIRONMENTS, path] }),
  });
}
